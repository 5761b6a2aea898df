import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { type Breakpoint, breakpointName, BREAKPOINTS } from '#ui/useWidthQuery.ts';
import { pageGlobs } from '#scripts/pageCode.ts';
import { isLoadFailure } from '#web/app/fetched.tsx';
import { withStyles } from '#web/shared/lateStyles.ts';

type Rgb = readonly [number, number, number];

/** OKLCH (lightness 0 to 1, chroma, hue in degrees) to linear sRGB, clipped to the gamut. https://bottosson.github.io/posts/oklab/ */
function oklchToLinear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** WCAG 2.2 contrast ratio of two linear colours, 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const [darker, lighter] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** A rule of a style sheet, or an at-rule with a block: the text before its braces, and its content. */
type StyleRule = {
  /** A selector list, or an at-rule’s name and condition, with normalised white space. */
  prelude: string;
  declarations: readonly { property: string; value: string }[];
  rules: readonly StyleRule[];
};

/** The top level of a sheet: its rules, and statements outside of any rule. */
type StyleSheet = Pick<StyleRule, 'declarations' | 'rules'>;

type OpenRule = { prelude: string; declarations: { property: string; value: string }[]; rules: StyleRule[] };

const TOKEN = /"[^"]*"|'[^']*'|[{};]|[^{};"']+/g;

/**
 * Parses plain CSS with nesting. A statement without a colon, such as `@import`, is a declaration without a value. @throws Error if the braces do
 * not match
 */
function parseStyleSheet(css: string): StyleSheet {
  const sheet: OpenRule = { prelude: '', declarations: [], rules: [] };
  const open = [sheet];
  let text = '';
  for (const [token] of css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(TOKEN)) {
    const rule = open.at(-1);
    if (!rule) break;
    if (token === '{') {
      const inner: OpenRule = { prelude: text.trim().replaceAll(/\s+/g, ' '), declarations: [], rules: [] };
      rule.rules.push(inner);
      open.push(inner);
    } else if (token === ';' || token === '}') {
      if (text.trim() !== '') rule.declarations.push(declarationOf(text.trim()));
      if (token === '}') open.pop();
    } else {
      text += token;
      continue;
    }
    text = '';
  }
  if (open.length !== 1) throw new Error('The braces of the style sheet do not match.');
  return sheet;
}

function declarationOf(text: string): { property: string; value: string } {
  const colon = text.indexOf(':');
  return colon < 0
    ? { property: text, value: '' }
    : { property: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

/** The tokens for one theme and one direction palette, in linear sRGB; only opaque OKLCH colours. */
function colours(rules: readonly StyleRule[], theme: string, directions: string): Map<string, Rgb> {
  const applies = (selector: string) =>
    selector
      .split(',')
      .some((part) =>
        [...part.matchAll(/\[data-(\w+)=["']([\w-]+)["']\]/g)].every(
          ([, name, value]) => value === (name === 'theme' ? theme : name === 'directions' ? directions : ''),
        ),
      );
  const values = new Map(
    rules
      .filter(({ prelude }) => !prelude.startsWith('@') && applies(prelude))
      .flatMap(({ declarations }) => declarations.map(({ property, value }) => [property, value] as const)),
  );
  const found = new Map<string, Rgb>();
  for (const [name, value] of values) {
    const inner = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    const numbers = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(inner ? (values.get(inner) ?? '') : value);
    if (numbers) found.set(name, oklchToLinear(Number(numbers[1]), Number(numbers[2]), Number(numbers[3])));
  }
  return found;
}

const allRules = ({ rules }: StyleSheet): StyleRule[] => rules.flatMap((rule) => [rule, ...allRules(rule)]);

const classesOf = (selectors: string): string[] =>
  [...selectors.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name = '']) => name);

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

/** Media queries with a literal width or height, or with an unknown breakpoint. */
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

/** Colours that are not tokens; mixtures of tokens are allowed. */
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

/** Classes that no code uses; `button-${look}` counts for all classes with that prefix. */
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
  test('name the widths at which they change', () => expect(tiers.flatMap(strayWidths)).toEqual([]));
  test('take their colours from the tokens', () => expect(tiers.flatMap(strayColours)).toEqual([]));
  test('are used', () => expect(deadClasses(tiers, sources.values())).toEqual([]));
});

describe('contrast', () => {
  const tokens = parseStyleSheet(
    readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url).pathname, 'utf8'),
  ).rules.flatMap(({ rules }) => rules);
  const groups = ['gold', 'blue', 'purple', 'teal', 'pink', 'brown'].map((group) => `--group-${group}`);
  const pairs = (
    [
      ...['--ground', '--surface', '--raised'].flatMap((ground): [string, number, string[]][] => [
        [ground, 7, ['--text']],
        [ground, 4.5, ['--text-muted', '--up', '--down', '--flat', '--warn', '--stale']],
        [ground, 4.5, ['--average-short', '--average-medium', '--average-long']],
        [ground, 3, ['--focus', '--line-strong']],
      ]),
      ['--accent', 7, ['--accent-text']],
      ...groups.map((group): [string, number, string[]] => [group, 4.5, ['--accent-text']]),
      ['--accent-soft', 7, ['--text']],
      ['--accent-soft', 4.5, ['--text-muted']],
      ...['--up', '--down', '--warn', '--stale'].flatMap((name): [string, number, string[]][] => [
        [`${name}-soft`, 7, ['--text']],
        [`${name}-soft`, 4.5, [name]],
      ]),
    ] satisfies [ground: string, atLeast: number, texts: string[]][]
  ).flatMap(([ground, atLeast, texts]) => texts.map((text) => [text, ground, atLeast] as const));

  for (const theme of ['dark', 'light']) {
    for (const directions of ['green-red', 'blue-orange', 'monochrome']) {
      describe(`${theme}, ${directions}`, () => {
        const found = colours(tokens, theme, directions);
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

describe('styles that load late', () => {
  const ADDRESS = '/assets/late-1.css';
  const { dataset } = document.documentElement;
  const { append } = document.head;
  let linked: Element[] = [];

  beforeEach(() => {
    linked = [];
    // The sheet itself is not loaded, because there is no server.
    document.head.append = (...nodes) => {
      for (const node of nodes) if (node instanceof Element) linked.push(node);
    };
  });
  afterEach(() => {
    document.head.append = append;
    delete dataset.lateStyles;
  });

  test('code waits for its styles, which are linked once; failed ones are requested again', async () => {
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
