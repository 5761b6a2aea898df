import { dirname, join, sep } from 'node:path';
import { transformAsync } from '@babel/core';
import type { BunPlugin } from 'bun';

const webFolder = join(dirname(import.meta.dir), 'web') + sep;
const webSource = new RegExp(`^${RegExp.escape(webFolder)}.*\\.tsx?$`);

/**
 * Runs the signals transform over everything under `web/`, so that a component reading `.value` is
 * rendered again when the signal changes. Without it a component renders once and never again, without a
 * warning. Used by the build, by the development server and by the component tests.
 */
const signalsPlugin: BunPlugin = {
  name: 'signals',
  setup(build) {
    build.onLoad({ filter: webSource }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const loader = path.endsWith('x') ? 'tsx' : 'ts';
      if (!source.includes('.value')) return { contents: source, loader };
      const transformed = await transformAsync(source, {
        filename: path,
        babelrc: false,
        configFile: false,
        plugins: ['module:@preact/signals-react-transform'],
        parserOpts: { plugins: loader === 'tsx' ? ['typescript', 'jsx'] : ['typescript'] },
      });
      if (!transformed?.code) throw new Error(`The signals transform gave nothing for ${path}.`);
      return { contents: transformed.code, loader };
    });
  },
};

export default signalsPlugin;
