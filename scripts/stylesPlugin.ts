import type { BunPlugin } from 'bun';
import { type Breakpoint, breakpointName, BREAKPOINTS } from '../web/ui/useWidthQuery.ts';
import { LINE_HEIGHTS } from '../web/ui/lineHeights.ts';
import { pageFilter } from './pageCode.ts';

const QUERIES = new Map(
  (Object.keys(BREAKPOINTS) as Breakpoint[]).map((name) => [breakpointName(name), BREAKPOINTS[name]]),
);

const HEIGHTS = new Map(
  Object.entries(LINE_HEIGHTS).flatMap(([name, { header, row }]) => [
    [`--${name}-header`, `${header}px`],
    [`--${name}-row`, `${row}px`],
  ]),
);

export function resolveBreakpoints(css: string, path: string): string {
  return css.replace(/@media[^{]+/g, (rule) =>
    rule.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
      const query = QUERIES.get(name);
      if (query === undefined) throw new Error(`${path}: there is no breakpoint ${name}.`);
      return query;
    }),
  );
}

/**
 * Replaces the names of tables' line heights: `env(--compact-row)` becomes `28px`.
 * @throws Error for a name that `web/ui/lineHeights.ts` does not have
 */
export function resolveLineHeights(css: string, path: string): string {
  return css.replace(/env\((--[\w-]+)\)/g, (_, name: string) => {
    const height = HEIGHTS.get(name);
    if (height === undefined) throw new Error(`${path}: there is no line height ${name}.`);
    return height;
  });
}

/** The cascade layer of a sheet, by its folder; sheets in `web/styles` name their own layer. */
function layerOf(path: string): string | null {
  const [, room] = /\/web\/(styles|ui|app)\//.exec(path) ?? [];
  if (room !== undefined) return room === 'styles' ? null : room;
  return /\/(shared|windows)\//.test(path) ? 'shared' : 'features';
}

/** Inserts values that styles share with scripts, and puts each sheet in the layer of its folder. */
const stylesPlugin: BunPlugin = {
  name: 'styles',
  setup(build) {
    build.onLoad({ filter: pageFilter('css') }, async ({ path }) => {
      const css = resolveLineHeights(resolveBreakpoints(await Bun.file(path).text(), path), path);
      const layer = layerOf(path);
      return { contents: layer === null ? css : `@layer ${layer} {\n${css}}\n`, loader: 'css' };
    });
  },
};

export default stylesPlugin;
