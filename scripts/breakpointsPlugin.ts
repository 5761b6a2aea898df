import { dirname, join, sep } from 'node:path';
import type { BunPlugin } from 'bun';
import { BREAKPOINTS, type Breakpoint, breakpointName } from '../web/ui/breakpoints.ts';

const webFolder = join(dirname(import.meta.dir), 'web') + sep;
const STYLES = new RegExp(`^${RegExp.escape(webFolder)}.*\\.css$`);

const QUERIES = new Map(
  (Object.keys(BREAKPOINTS) as Breakpoint[]).map((name) => [breakpointName(name), BREAKPOINTS[name]]),
);

/**
 * Puts the widths in the place of their names: `@media (--phone)` becomes `@media (max-width: 640px)`.
 * @throws Error for a name that `web/ui/breakpoints.ts` does not have
 */
export function resolveBreakpoints(css: string, path: string): string {
  return css.replace(/@media[^{]+/g, (rule) =>
    rule.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
      const query = QUERIES.get(name);
      if (query === undefined) throw new Error(`${path}: there is no breakpoint ${name}.`);
      return query;
    }),
  );
}

/** The browser knows no custom media queries yet, and the bundler leaves them as they are. */
const breakpointsPlugin: BunPlugin = {
  name: 'breakpoints',
  setup(build) {
    build.onLoad({ filter: STYLES }, async ({ path }) => ({
      contents: resolveBreakpoints(await Bun.file(path).text(), path),
      loader: 'css',
    }));
  },
};

export default breakpointsPlugin;
