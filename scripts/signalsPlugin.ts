import { transformAsync } from '@babel/core';
import type { BunPlugin } from 'bun';
import { pageFilter } from './pageCode.ts';

/** What the signals runtime takes `useSyncExternalStore` from, for the sake of Reacts before 18. */
const REACT_SHIM = /use-sync-external-store\/shim\/index\.js$/;

/**
 * Makes components and hooks that read `.value` follow their signals.
 * @param source TypeScript, with JSX when the path ends in `.tsx`.
 * @returns TypeScript still, untouched when it reads no signal.
 */
export async function transformSignals(source: string, path: string): Promise<string> {
  if (!source.includes('.value')) return source;
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

/**
 * Runs the signals transform over the pages' code. Without it a component renders once and never
 * again, without a warning. Used by the build, by the development server and by the component tests. It also spares
 * the first load a copy of a hook that React brings along.
 */
const signalsPlugin: BunPlugin = {
  name: 'signals',
  setup(build) {
    build.onLoad({ filter: pageFilter('tsx?') }, async ({ path }) => ({
      contents: await transformSignals(await Bun.file(path).text(), path),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
    build.onLoad({ filter: REACT_SHIM }, () => ({
      contents: "export { useSyncExternalStore } from 'react';",
      loader: 'js',
    }));
  },
};

export default signalsPlugin;
