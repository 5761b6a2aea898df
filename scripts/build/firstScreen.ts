import { resolve } from 'node:path';
import type { BuildArtifact, BuildMetafile } from 'bun';
import { reachedFrom } from './imports.ts';
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

function chunkOf(screen: string, outputs: BuildMetafile['outputs']): string {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(screen)) ?? [];
  if (path === undefined) throw new Error(`The bundler made no chunk of ${screen}.`);
  return resolve(path);
}

/**
 * Chunks of a first load of the scanner's page beyond the entry's own: small ones, and those that Calls needs too,
 * because visitors load it first. They may need only each other and the entry's, so that joining them creates no cycle.
 */
export function firstChunks(
  bundled: readonly Bundled[],
  { outputs }: BuildMetafile,
  needed: ReadonlySet<string>,
): Set<string> {
  const screen = chunkOf('subjects/scanners/web/ScannerPage.tsx', outputs);
  const scanner = reachedFrom([screen], outputs);
  const calls = reachedFrom([chunkOf('subjects/calls/web/CallsScreen.tsx', outputs)], outputs);
  const sizes = new Map(bundled.map(({ artifact, output }) => [resolve(artifact.path), output.bytes.length]));
  const mayJoin = (path: string): boolean =>
    needed.has(path) || calls.has(path) || (sizes.get(path) ?? Infinity) <= SMALL_CHUNK;
  const joinable = bundled.filter(({ artifact }) => {
    const path = resolve(artifact.path);
    const isAsked = path !== screen && scanner.has(path) && !needed.has(path);
    return isAsked && [...reachedFrom([path], outputs)].every(mayJoin);
  });
  return new Set(joinable.map(({ output }) => chunkName(output)));
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

/** Joins a group of scripts; returns all scripts by the bundler's addresses. */
export async function arranged(
  bundled: readonly Bundled[],
  group: ReadonlySet<string>,
): Promise<Map<string, Output>> {
  const chunks = scriptsOf(bundled).map(toChunk);
  return packed(await joinChunks(chunks, group, 'firstScreen.js'), true);
}

/** A worker's script by the bundler's address. */
export const arrangedWorker = (bundled: readonly Bundled[]): Promise<Map<string, Output>> =>
  packed(scriptsOf(bundled).map(toChunk), false);

export const unarranged = (bundled: readonly Bundled[]): Map<string, Output> =>
  new Map(scriptsOf(bundled).map((output) => [output.url, output]));
