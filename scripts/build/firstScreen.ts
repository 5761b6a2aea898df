import { resolve } from 'node:path';
import type { BuildArtifact, BuildMetafile } from 'bun';
import { reachedFrom } from './imports.ts';
import { chunkOf, groupChunks } from './groups.ts';
import { type Chunk, joinChunks, nameByContent } from './joinChunks.ts';
import { minified } from './minified.ts';

/** A served file of the web application. */
export type Output = {
  url: string;
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
  immutable: boolean;
  policy?: string;
};

export type Bundled = { artifact: BuildArtifact; output: Output };

/** Larger chunks that are not in every first load stay separate, to keep other loads small. */
const SMALL_CHUNK = 8 * 1024;

/** Not worth a file of its own, so the scanner's page gets it too, if Calls needs it. */
const TINY_CHUNK = 300;

/**
 * Chunks of a first load of the scanner's page beyond the entry's own: small ones, and those that Calls needs too,
 * because visitors load it first. They may need only each other and the entry's, so that joining them creates no cycle.
 */
function firstChunks(
  sizes: ReadonlyMap<string, number>,
  metafile: BuildMetafile,
  needed: ReadonlySet<string>,
): string[] {
  const { outputs } = metafile;
  const screen = chunkOf('scanners/web/ScannerPage.tsx', metafile);
  const scanner = reachedFrom([screen], outputs);
  const calls = reachedFrom([chunkOf('calls/web/CallsScreen.tsx', metafile)], outputs);
  const mayJoin = (path: string): boolean =>
    needed.has(path) || calls.has(path) || (sizes.get(path) ?? Infinity) <= SMALL_CHUNK;
  const isTiny = (path: string): boolean => calls.has(path) && (sizes.get(path) ?? Infinity) <= TINY_CHUNK;
  return [...sizes.keys()].filter((path) => {
    const isAsked = path !== screen && (scanner.has(path) || isTiny(path)) && !needed.has(path);
    return isAsked && [...reachedFrom([path], outputs)].every(mayJoin);
  });
}

const chunkName = ({ file }: Output): string => file.slice('assets/'.length);

const isScript = ({ file }: Output): boolean => !file.endsWith('.css');

const scriptsOf = (bundled: readonly Bundled[]): Output[] =>
  bundled.map(({ output }) => output).filter(isScript);

const toChunk = (output: Output): Chunk => ({
  name: chunkName(output),
  text: new TextDecoder().decode(output.bytes),
});

function toOutput({ name, text }: Chunk): Output {
  const file = `assets/${name}`;
  return { url: `/${file}`, file, bytes: new TextEncoder().encode(text), immutable: true };
}

/**
 * Minifies scripts and names each by its content.
 * @param isModule false for classic scripts
 * @returns the scripts by the bundler's addresses
 */
async function packed(chunks: readonly Chunk[], isModule: boolean): Promise<Map<string, Output>> {
  const texts = await Promise.all(
    chunks.map(async ({ name, text }) => ({ name, text: await minified(text, isModule) })),
  );
  return new Map([...nameByContent(texts)].map(([old, chunk]) => [`/assets/${old}`, toOutput(chunk)]));
}

/**
 * Joins late scripts into groups; returns all scripts by the bundler's addresses.
 * @param needed the chunks that the entry imports, and its own; absolute paths
 */
export async function arranged(
  bundled: readonly Bundled[],
  metafile: BuildMetafile,
  needed: ReadonlySet<string>,
): Promise<Map<string, Output>> {
  const scripts = bundled.filter(({ output }) => isScript(output));
  const names = new Map(scripts.map(({ artifact, output }) => [resolve(artifact.path), chunkName(output)]));
  const sizes = new Map(scripts.map(({ artifact, output }) => [resolve(artifact.path), output.bytes.length]));
  const first = firstChunks(sizes, metafile, needed);
  for (const path of [...first, ...needed]) sizes.delete(path);
  const groups = [first, ...groupChunks(sizes, metafile)].map((group) =>
    group.flatMap((path) => names.get(path) ?? []),
  );
  return packed(await joinChunks(scriptsOf(bundled).map(toChunk), groups), true);
}

/** A worker's script by the bundler's address. */
export const arrangedWorker = (bundled: readonly Bundled[]): Promise<Map<string, Output>> =>
  packed(scriptsOf(bundled).map(toChunk), false);

export const unarranged = (bundled: readonly Bundled[]): Map<string, Output> =>
  new Map(scriptsOf(bundled).map((output) => [output.url, output]));
