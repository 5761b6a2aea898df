import type { BunPlugin } from 'bun';

/**
 * The bundler's list of the chunks that each chunk needs, in the entry, to preload them: keys of `import()`, and for
 * each the address and the indices of the chunks it needs.
 */
const NEEDS = /\(import\.meta\.url,(\["\w{8}"[^\]]*\]),(\[\["\/assets\/.*?\]\]),0\)/s;

const listsNeeds = (text: string): boolean => NEEDS.test(text);

type Needs = [address: string, ...needs: number[]];

/**
 * Joins a group of chunks in that list. Chunks without an `import()` get a shorter key.
 * @param text of a chunk; returned as it is if it does not contain the list
 * @param texts of all chunks, to search for the keys
 * @param isMember whether an address is in the group
 * @param joined the address of the group's chunk
 */
function joinedNeeds(
  text: string,
  texts: string,
  isMember: (address: string) => boolean,
  joined: string,
): string {
  return text.replace(NEEDS, (_, keyList: string, list: string) => {
    const keys = JSON.parse(keyList) as string[];
    const old = JSON.parse(list) as Needs[];
    // The entry is the first chunk and is requested by its key.
    const isAsked = (place: number): boolean => place === 0 || texts.split(`"${keys[place]}"`).length > 2;
    const places = old.map((_one, place) => place).filter((place) => !isMember(old[place]?.[0] ?? ''));
    const order = [...places.filter(isAsked), ...places.filter((place) => !isAsked(place))];
    const members = old.filter(([address]) => isMember(address));
    const placeOf = (place: number): number =>
      isMember(old[place]?.[0] ?? '') ? order.length : order.indexOf(place);
    const needsOf = (needs: readonly number[], own: number): number[] =>
      [...new Set(needs.map(placeOf))].filter((place) => place !== own);
    const entries = order.map((place, own): Needs => {
      const [address = '', ...needs] = old[place] ?? [];
      return [address, ...needsOf(needs, own)];
    });
    const ofMembers = members.flatMap(([, ...needs]) => needs);
    entries.push([joined, ...needsOf(ofMembers, order.length)]);
    // Other keys only need to be unique.
    const newKeys = entries.map((_entry, own) => {
      const place = order[own];
      return place !== undefined && isAsked(place) ? keys[place] : own.toString(36);
    });
    return `(import.meta.url,${JSON.stringify(newKeys)},${JSON.stringify(entries)},0)`;
  });
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

/** Serves the chunks of a group from memory; all others stay imports. */
const inMemory = (group: readonly Chunk[]): BunPlugin => ({
  name: 'chunks',
  setup(build) {
    const texts = new Map(group.map(({ name, text }) => [name, text]));
    build.onResolve({ filter: /^\/assets\// }, ({ path }) => {
      const name = path.slice(FOLDER.length);
      return texts.has(name) ? { path: name, namespace: 'chunk' } : { path, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
      contents: texts.get(path) ?? '',
      loader: 'js',
    }));
  },
});

/**
 * Joins several chunks, because each file costs half a kilobyte of headers, and small ones compress worse.
 * @param chunks all chunks
 * @param group the names of those to join
 * @param name of the new chunk, until it gets its hash
 * @returns all chunks, with imports of the group redirected
 * @throws Error if two chunks export the same name
 */
export async function joinChunks(
  chunks: readonly Chunk[],
  group: ReadonlySet<string>,
  name: string,
): Promise<Chunk[]> {
  const members = chunks.filter((chunk) => group.has(chunk.name));
  const names = members.flatMap(exportsOf);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`Two chunks export the name ${twice}, so they cannot be joined.`);
  const entry = '/joined.js';
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: members.map((one) => `export * from '${FOLDER}${one.name}';`).join('\n') },
    target: 'browser',
    format: 'esm',
    minify: true,
    plugins: [inMemory(members)],
  });
  const text = (await outputs[0]?.text()) ?? '';
  const lost = names.filter((one) => !exportsOf({ name, text }).includes(one));
  if (lost.length > 0) throw new Error(`The joined chunk lacks the names ${lost.join(', ')}.`);
  const others = chunks.filter((chunk) => !group.has(chunk.name));
  const texts = chunks.map((chunk) => chunk.text).join('\n');
  const isMember = (address: string): boolean => group.has(address.slice(FOLDER.length));
  if (!chunks.some((chunk) => listsNeeds(chunk.text)))
    throw new Error(
      'The bundler has changed how it lists what chunks need; see scripts/build/joinChunks.ts.',
    );
  const joined = (old: string): string => (group.has(old) ? name : old);
  return [...others, { name, text }].map((chunk) => ({
    ...chunk,
    text: withoutRepeats(renamed(joinedNeeds(chunk.text, texts, isMember, `${FOLDER}${name}`), joined)),
  }));
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
