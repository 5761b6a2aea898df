import type { BunPlugin } from 'bun';
import { joinedNeeds, listsNeeds } from './neededChunks.ts';

export type Chunk = { name: string; text: string };

const FOLDER = '/assets/';

/** The address of a chunk in another one's import or in the list of needs. */
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
 * @param chunks all of them
 * @param group the names to join
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
  if (twice !== undefined) throw new Error(`Two chunks give away the name ${twice}; they can't be joined.`);
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
      'The bundler has changed how it lists what chunks need; see scripts/build/neededChunks.ts.',
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
 * Names chunks by a hash of their text and of all others'. Browsers cache by name, and the entry names every
 * chunk and every chunk imports the entry, so a change changes all.
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
