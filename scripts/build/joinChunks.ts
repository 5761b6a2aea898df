import type { BunPlugin } from 'bun';

/**
 * The bundler's list of the chunks that each chunk needs, in the entry, to preload them: keys of `import()`, and for
 * each the address and the indices of the chunks it needs.
 */
const NEEDS = /\(import\.meta\.url,(\["\w{8}"[^\]]*\]),(\[\["\/assets\/.*?\]\]),0\)/s;

type Needs = [address: string, ...needs: number[]];

/**
 * Joins groups of chunks in that list, and shortens its keys.
 * @param texts of all chunks
 * @param nameOf the address that a chunk has after joining
 * @returns the same change for every text
 * @throws Error if none has the list
 */
function joiningNeeds(texts: readonly string[], nameOf: (address: string) => string) {
  const list = texts.map((text) => NEEDS.exec(text)).find((found) => found !== null);
  if (!list) {
    throw new Error(
      'The bundler has changed how it lists what chunks need; see scripts/build/joinChunks.ts.',
    );
  }
  const keys = JSON.parse(list[1] ?? '') as string[];
  const chunks = JSON.parse(list[2] ?? '') as Needs[];
  // The entry is the first chunk, which every other one needs.
  const addresses = [...new Set(chunks.map(([address]) => nameOf(address)))];
  const placeOf = (chunk: number): number => addresses.indexOf(nameOf(chunks[chunk]?.[0] ?? ''));
  const entries = addresses.map((joined, own): Needs => {
    const needs = chunks.flatMap(([address, ...all]) => (nameOf(address) === joined ? all.map(placeOf) : []));
    return [joined, ...new Set(needs.filter((place) => place !== own && place !== 0))];
  });
  const keyOf = new Map(keys.map((key, chunk) => [key, placeOf(chunk).toString(36)]));
  const newKeys = addresses.map((_, place) => place.toString(36));
  const newList = `(import.meta.url,${JSON.stringify(newKeys)},${JSON.stringify(entries)},0)`;
  return (text: string): string =>
    text
      .replace(NEEDS, () => newList)
      .replaceAll(/"(\w{8})"/g, (whole, key: string) => (keyOf.has(key) ? `"${keyOf.get(key)}"` : whole));
}

export type Chunk = { name: string; text: string };

const FOLDER = '/assets/';

/** The address of a chunk in an import of another one, or in the list. */
const ADDRESS = /(["'])\/assets\/([\w.-]+\.js)\1/g;

const renamed = (text: string, nameOf: (name: string) => string): string =>
  text.replaceAll(ADDRESS, (_, quote: string, name: string) => `${quote}${FOLDER}${nameOf(name)}${quote}`);

function exportsOf({ text }: Chunk): string[] {
  const [, list = ''] = /\bexport ?\{([^}]*)\};?\s*$/.exec(text) ?? [];
  return list
    .split(',')
    .map((entry) => entry.trim().split(' as ').at(-1) ?? '')
    .filter((name) => name !== '');
}

const ENTRY = '/group/';

/** Serves chunks from memory to others of their group; all other imports stay. */
const inMemory = (texts: ReadonlyMap<string, string>, groupOf: (name: string) => string): BunPlugin => ({
  name: 'chunks',
  setup(build) {
    build.onResolve({ filter: /^\/assets\// }, ({ path, importer, kind }) => {
      const name = path.slice(FOLDER.length);
      const from = importer.slice(importer.lastIndexOf('/') + 1).replace(/^chunk:/, '');
      const isInside = kind !== 'dynamic-import' && groupOf(name) === groupOf(from);
      return isInside ? { path: name, namespace: 'chunk' } : { path, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
      contents: texts.get(path) ?? '',
      loader: 'js',
    }));
  },
});

/**
 * Joins groups of chunks, because each file costs a request, and small ones compress worse.
 * @param chunks all chunks
 * @param groups lists of names; each group gets the name of its first chunk
 * @returns all chunks, with imports redirected
 * @throws Error if two chunks export the same name
 */
export async function joinChunks(chunks: readonly Chunk[], groups: readonly string[][]): Promise<Chunk[]> {
  const firsts = new Map(groups.flatMap((group) => group.map((name) => [name, group[0] ?? name])));
  const groupOf = (name: string): string => firsts.get(name) ?? name;
  const exported = chunks.filter(({ name }) => firsts.has(name)).flatMap(exportsOf);
  const twice = exported.find((one, index) => exported.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`Two chunks export the name ${twice}, so they cannot be joined.`);
  const entries = groups.map((group): [string, string] => [
    `${ENTRY}${groupOf(group[0] ?? '')}`,
    group.map((name) => `export * from '${FOLDER}${name}';`).join('\n'),
  ]);
  const { outputs } = await Bun.build({
    entrypoints: entries.map(([path]) => path),
    files: Object.fromEntries(entries),
    target: 'browser',
    format: 'esm',
    minify: true,
    plugins: [inMemory(new Map(chunks.map(({ name, text }) => [name, text])), groupOf)],
  });
  const texts = new Map(
    await Promise.all(
      outputs.map(async (one) => [one.path.slice(one.path.lastIndexOf('/') + 1), await one.text()] as const),
    ),
  );
  const all = chunks
    .filter(({ name }) => groupOf(name) === name)
    .map(({ name, text }) => ({ name, text: texts.get(name) ?? text }));
  const kept = new Set(all.flatMap(exportsOf));
  const lost = exported.filter((one) => !kept.has(one));
  if (lost.length > 0) throw new Error(`The joined chunks lack the names ${lost.join(', ')}.`);
  const joinNeeds = joiningNeeds(
    chunks.map(({ text }) => text),
    (address) => `${FOLDER}${groupOf(address.slice(FOLDER.length))}`,
  );
  return all.map(({ name, text }) => ({ name, text: withoutRepeats(renamed(joinNeeds(text), groupOf)) }));
}

const withoutRepeats = (text: string): string => {
  const seen = new Set<string>();
  return text.replaceAll(
    /(?:\bimport\{[^}]*\}from|\bimport)"(\/assets\/[\w.-]+)";/g,
    (statement, address: string) => {
      const isRepeat = seen.has(address) && !statement.includes('{');
      seen.add(address);
      return isRepeat ? '' : statement;
    },
  );
};

const hashOf = (text: string): string =>
  new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 8);

/**
 * Names chunks by a hash of their own text and the text of all others. Browsers cache by name. The entry names every
 * chunk, and every chunk imports the entry, so a change of one changes all names.
 * @returns the chunks by their old names
 */
export function nameByContent(chunks: readonly Chunk[]): Map<string, Chunk> {
  const own = new Map(chunks.map(({ name, text }) => [name, hashOf(renamed(text, () => ''))]));
  const all = [...own.values()].sort().join();
  const newNames = new Map(
    chunks.map(({ name }) => {
      const stem = name.replace(/(-\w{8})?\.js$/, '');
      return [name, `${stem}-${hashOf(`${own.get(name)} ${all}`)}.js`];
    }),
  );
  const nameOf = (old: string): string => newNames.get(old) ?? old;
  return new Map(chunks.map(({ name, text }) => [name, { name: nameOf(name), text: renamed(text, nameOf) }]));
}
