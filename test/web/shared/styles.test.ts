import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { BREAKPOINTS, type Breakpoint, breakpointName } from '../../../web/ui/breakpoints.ts';
import { pageGlobs } from '../../../scripts/pageCode.ts';
import { isLoadFailure } from '../../../web/app/failure/isLoadFailure.ts';
import { withStyles } from '../../../web/shared/lateStyles.ts';
import { type StyleSheet, allRules, classesOf, parseStyleSheet } from '../../support/styleSheet.ts';
import { colours, contrast, parseTokens } from '../../support/contrast.ts';

type Styles = { path: string; sheet: StyleSheet };

const root = join(import.meta.dir, '..', '..', '..');

async function readAll(endings: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const pattern of pageGlobs(endings)) {
    for await (const path of new Bun.Glob(pattern).scan({ cwd: root, onlyFiles: true })) {
      files.set(path, await Bun.file(join(root, path)).text());
    }
  }
  return files;
}

const sources = await readAll('{ts,tsx}');
const styles = (path: string, css: string): Styles => ({ path, sheet: parseStyleSheet(css) });
const tiers = [...(await readAll('css'))]
  .filter(([path]) => !path.startsWith('web/styles/'))
  .map((file) => styles(...file));

const known = new Set((Object.keys(BREAKPOINTS) as Breakpoint[]).map(breakpointName));

/** Media queries that give a width or height themselves, or name a breakpoint that there is not. */
const strayWidths = ({ path, sheet }: Styles): string[] =>
  allRules(sheet)
    .filter(({ prelude }) => prelude.startsWith('@media'))
    .filter(
      ({ prelude }) =>
        /\b(width|height)\b/.test(prelude) ||
        (prelude.match(/--[\w-]+/g) ?? []).some((name) => !known.has(name)),
    )
    .map(({ prelude }) => `${path}: ${prelude}`);

const NO_COLOUR = new Set(['transparent', 'currentcolor', 'inherit']);

/** Colours that are not tokens; mixtures of tokens are. */
const strayColours = ({ path, sheet }: Styles): string[] =>
  allRules(sheet)
    .flatMap(({ declarations }) => declarations)
    .filter(({ property, value }) => {
      if (property === 'content') return false;
      if (/#[\da-f]{3,8}\b|\b(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i.test(value)) return true;
      const words = value.replaceAll(/var\([^)]*\)|--[\w-]+/g, '').match(/(?<![\w-])[a-z]+(?![\w-])/gi) ?? [];
      return words.some((word) => !NO_COLOUR.has(word.toLowerCase()) && Bun.color(word, 'css') !== null);
    })
    .map(({ property, value }) => `${path}: ${property}: ${value}`);

/** Classes that no code gives to an element; `button-${look}` gives all that begin so. */
function deadClasses(all: readonly Styles[], code: Iterable<string>): string[] {
  const text = [...code].join('\n');
  const words = new Set(text.match(/[\w-]+/g));
  const openEnded = [...text.matchAll(/([\w-]+-)\$\{/g)].map(([, start = '']) => start);
  return all.flatMap(({ path, sheet }) =>
    [
      ...new Set(
        allRules(sheet).flatMap(({ prelude }) => (prelude.startsWith('@') ? [] : classesOf(prelude))),
      ),
    ]
      .filter((name) => !words.has(name) && !openEnded.some((start) => name.startsWith(start)))
      .map((name) => `${path}: .${name}`),
  );
}

describe('the styles of a component', () => {
  test('name the widths they change at', () => expect(tiers.flatMap(strayWidths)).toEqual([]));
  test('take their colours from the tokens', () => expect(tiers.flatMap(strayColours)).toEqual([]));
  test('are used', () => expect(deadClasses(tiers, sources.values())).toEqual([]));
});

describe('contrast', () => {
  const blocks = parseTokens(
    readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url).pathname, 'utf8'),
  );
  const grounds = ['--ground', '--surface', '--raised'];
  const pairs: [text: string, ground: string, atLeast: number][] = [
    ...grounds.flatMap((ground): [string, string, number][] => [
      ['--text', ground, 7],
      ['--text-muted', ground, 4.5],
      ['--up', ground, 4.5],
      ['--down', ground, 4.5],
      ['--flat', ground, 4.5],
      ['--warn', ground, 4.5],
      ['--stale', ground, 4.5],
      ['--focus', ground, 3],
      ['--line-strong', ground, 3],
      ['--average-short', ground, 4.5],
      ['--average-medium', ground, 4.5],
      ['--average-long', ground, 4.5],
    ]),
    ['--accent-text', '--accent', 7],
    ...['gold', 'blue', 'purple', 'teal', 'pink', 'brown'].map((group): [string, string, number] => [
      '--accent-text',
      `--group-${group}`,
      4.5,
    ]),
    ['--text', '--accent-soft', 7],
    ['--text', '--up-soft', 7],
    ['--text', '--down-soft', 7],
    ['--text', '--warn-soft', 7],
    ['--text', '--stale-soft', 7],
    ['--up', '--up-soft', 4.5],
    ['--down', '--down-soft', 4.5],
    ['--warn', '--warn-soft', 4.5],
    ['--stale', '--stale-soft', 4.5],
    ['--text-muted', '--accent-soft', 4.5],
  ];

  for (const theme of ['dark', 'light']) {
    for (const directions of ['green-red', 'blue-orange', 'monochrome']) {
      describe(`${theme}, ${directions}`, () => {
        const found = colours(blocks, theme, directions);
        test.each(pairs)('%s on %s has a contrast of at least %d', (text, ground, atLeast) => {
          const one = found.get(text);
          const other = found.get(ground);
          if (!one || !other) throw new Error(`${text} or ${ground} is not an opaque OKLCH token`);
          expect(contrast(one, other)).toBeGreaterThanOrEqual(atLeast);
        });
      });
    }
  }
});

describe('styles that come late', () => {
  const ADDRESS = '/assets/late-1.css';
  const { dataset } = document.documentElement;
  const { append } = document.head;
  let linked: Element[] = [];

  beforeEach(() => {
    linked = [];
    // The sheet itself stays out: there is no server to ask for it.
    document.head.append = (...nodes) => {
      for (const node of nodes) if (node instanceof Element) linked.push(node);
    };
  });
  afterEach(() => {
    document.head.append = append;
    delete dataset.lateStyles;
  });

  test('code that came waits for its styles, which are linked once; those that failed are asked for again', async () => {
    dataset.lateStyles = ADDRESS;
    const failed = withStyles(Promise.resolve('code'));
    linked[0]?.dispatchEvent(new Event('error'));
    const problem: unknown = await failed.catch((error: unknown) => error);
    expect(isLoadFailure(problem)).toBe(true);

    let shown: string | null = null;
    const first = withStyles(Promise.resolve('code')).then((code) => {
      shown = code;
    });
    const second = withStyles(Promise.resolve('more'));
    await Promise.resolve();
    expect(linked.map((element) => element.getAttribute('href'))).toEqual([ADDRESS, ADDRESS]);
    expect(shown).toBeNull();
    linked[1]?.dispatchEvent(new Event('load'));
    await first;
    expect(shown as string | null).toBe('code');
    expect(await second).toBe('more');
    expect(linked).toHaveLength(2);
  });
});
