import { mkdir, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { BunPlugin } from 'bun';
import { pageFilter } from './pageCode.ts';

/** The shim of `useSyncExternalStore` for React before 18, in the signals runtime. */
const REACT_SHIM = /use-sync-external-store\/shim\/index\.js$/;

/**
 * Makes components and hooks that read `.value` follow their signals.
 * @param source TypeScript, with JSX if the path ends in `.tsx`
 * @returns TypeScript, unchanged if it reads no signal
 */
export async function transformSignals(source: string, path: string): Promise<string> {
  if (!source.includes('.value')) return source;
  // Loaded only if needed, because it is large.
  const { transformAsync } = await import('@babel/core');
  const transformed = await transformAsync(source, {
    filename: path,
    babelrc: false,
    configFile: false,
    plugins: ['module:@preact/signals-react-transform'],
    parserOpts: { plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
  });
  if (!transformed?.code) throw new Error(`The signals transform gave nothing for ${path}.`);
  return transformed.code;
}

const root = dirname(import.meta.dir);
/** Folder of cached results per file, because transforming all files takes seconds in every build and test process. */
const KEPT = join(root, 'node_modules/.cache/signals');
/** Part of the cache key: this code and the versions of its packages. */
const maker = Promise.all([import.meta.path, join(root, 'bun.lock')].map((path) => Bun.file(path).text()));

async function transformedFile(path: string): Promise<string> {
  const source = await Bun.file(path).text();
  if (!source.includes('.value')) return source;
  const name = relative(root, path);
  const hash = new Bun.CryptoHasher('sha256');
  for (const part of [...(await maker), name, source]) hash.update(part).update('\0');
  const head = `// ${hash.digest('hex')}\n`;
  const kept = Bun.file(join(KEPT, name));
  const before = (await kept.exists()) ? await kept.text() : '';
  if (before.startsWith(head)) return before.slice(head.length);
  const code = await transformSignals(source, path);
  await mkdir(dirname(join(KEPT, name)), { recursive: true });
  // Renamed when complete, because another process must never read half a file.
  const written = join(KEPT, `${name}.${process.pid}`);
  await Bun.write(written, head + code);
  await rename(written, join(KEPT, name));
  return code;
}

/**
 * Runs the signals transform over the pages' code. Without it a component renders only once, without a warning. The
 * build, the development server and the component tests use it. It also removes a copy of a React hook from the first
 * load.
 */
const signalsPlugin: BunPlugin = {
  name: 'signals',
  setup(build) {
    build.onLoad({ filter: pageFilter('tsx?') }, async ({ path }) => ({
      contents: await transformedFile(path),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
    build.onLoad({ filter: REACT_SHIM }, () => ({
      contents: "export { useSyncExternalStore } from 'react';",
      loader: 'js',
    }));
  },
};

export default signalsPlugin;
