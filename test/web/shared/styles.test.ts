import { describe, expect, test } from 'bun:test';
import { basename, dirname, join } from 'node:path';
import { type Breakpoint, BREAKPOINTS, breakpointName } from '../../../web/ui/breakpoints.ts';
import { pageGlobs } from '../../../scripts/pageCode.ts';
import {
  allRules,
  classesOf,
  parseStyleSheet,
  type StyleRule,
  type StyleSheet,
} from '../../support/styleSheet.ts';

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

/** The cascade layer of a component: by what its folder is for. */
function layerOf(path: string): string {
  if (/^web\/(ui|app)\//.test(path)) return path.split('/')[1] ?? '';
  return /^web\/|\/web\/shared\//.test(path) ? 'shared' : 'features';
}

const sources = await readAll('{ts,tsx}');
const styles = (path: string, css: string): Styles => ({ path, sheet: parseStyleSheet(css) });
const tiers = [...(await readAll('css'))]
  .filter(([path]) => !path.startsWith('web/styles/'))
  .map((file) => styles(...file));

/** Sheets without a component of the same name beside them that imports them. */
const strays = (all: readonly Styles[], code: ReadonlyMap<string, string>): string[] =>
  all
    .filter(({ path }) => {
      const component = code.get(path.replace(/\.css$/, '.tsx'));
      return !component?.includes(`import './${basename(path)}';`);
    })
    .map(({ path }) => `${path}: no ${basename(path, '.css')}.tsx in ${dirname(path)} imports it`);

/** Whatever does not stand in the one cascade layer of its tier. */
const outsideLayer = ({ path, sheet }: Styles): string[] => {
  const layer = `@layer ${layerOf(path)}`;
  const rules = sheet.rules.filter(({ prelude }) => prelude !== layer).map(({ prelude }) => prelude);
  const statements = sheet.declarations.map(({ property }) => property);
  return [...rules, ...statements].map((what) => `${path}: ${what} is not in ${layer}`);
};

/** The rules that a layer consists of, those in media queries too. */
const topRules = (rules: readonly StyleRule[]): StyleRule[] =>
  rules.flatMap((rule) => (/^@(layer|media|supports)/.test(rule.prelude) ? topRules(rule.rules) : [rule]));

/** The block that each rule belongs to: the class that its selector begins with, or the name of its key frames. */
const blocksOf = ({ prelude }: StyleRule): string[] =>
  prelude.startsWith('@') ? [prelude] : prelude.split(',').map((selector) => selector.trim());

const BLOCK = /^(\.-?[a-z][\w-]*|@keyframes [a-z][\w-]*)/;

/** Rules that begin with no class, and blocks that two files define. */
function strayBlocks(all: readonly Styles[]): string[] {
  const owners = new Map<string, Set<string>>();
  const nameless: string[] = [];
  for (const { path, sheet } of all) {
    for (const selector of topRules(sheet.rules).flatMap(blocksOf)) {
      const [block] = BLOCK.exec(selector) ?? [];
      if (block === undefined) nameless.push(`${path}: ${selector} begins with no class`);
      else owners.set(block, (owners.get(block) ?? new Set()).add(path));
    }
  }
  const shared = [...owners].filter(([, paths]) => paths.size > 1);
  return [...nameless, ...shared.map(([block, paths]) => `${block}: ${[...paths].join(', ')}`)];
}

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
  test('stand beside it, and it imports them', () => expect(strays(tiers, sources)).toEqual([]));
  test('stand in the layer of their tier', () => expect(tiers.flatMap(outsideLayer)).toEqual([]));
  test('are blocks that no other file defines', () => expect(strayBlocks(tiers)).toEqual([]));
  test('name the widths they change at', () => expect(tiers.flatMap(strayWidths)).toEqual([]));
  test('take their colours from the tokens', () => expect(tiers.flatMap(strayColours)).toEqual([]));
  test('are used', () => expect(deadClasses(tiers, sources.values())).toEqual([]));
});

describe('the rules catch', () => {
  const one = (css: string, path = 'web/ui/Box.css') => styles(path, css);

  test('a sheet without its component', () => {
    const sheet = one('');
    expect(strays([sheet], new Map())).toHaveLength(1);
    expect(strays([sheet], new Map([['web/ui/Box.tsx', "import './Other.css';"]]))).toHaveLength(1);
    expect(strays([sheet], new Map([['web/ui/Box.tsx', "import './Box.css';"]]))).toEqual([]);
  });

  test('rules outside of their layer', () => {
    expect(outsideLayer(one('.box { top: 0 }'))).toEqual(['web/ui/Box.css: .box is not in @layer ui']);
    expect(outsideLayer(one('@layer ui { .box { top: 0 } }', 'web/app/Box.css'))).toHaveLength(1);
    expect(outsideLayer(one('@import "a.css"; @layer ui { }'))).toHaveLength(1);
    expect(outsideLayer(one('/* .box { } */ @layer ui { .box { top: 0; & a { top: 0 } } }'))).toEqual([]);
  });

  test('blocks of two files, and rules that belong to none', () => {
    const box = one('@layer ui { .box { & .lid { top: 0 } } @media (--phone) { .box { top: 1px } } }');
    const other = one('@layer ui { .lid { .box & { top: 0 } } }', 'web/ui/Lid.css');
    expect(strayBlocks([box, other])).toEqual([]);
    const again = one('@layer ui { .lid, .box:hover { top: 0 } }', 'web/ui/Again.css');
    expect(strayBlocks([box, again])).toEqual(['.box: web/ui/Box.css, web/ui/Again.css']);
    expect(strayBlocks([one('@layer ui { kbd { top: 0 } }')])).toHaveLength(1);
    const spin = '@layer ui { @keyframes spin { to { top: 0 } } }';
    expect(strayBlocks([one(spin), one(spin, 'web/ui/Again.css')])).toHaveLength(1);
  });

  test('widths without a name', () => {
    const at = (query: string) => strayWidths(one(`@layer ui { .box { @media ${query} { top: 0 } } }`));
    expect(at('(max-width: 640px)')).toHaveLength(1);
    expect(at('(400px <= width)')).toHaveLength(1);
    expect(at('(--tiny)')).toHaveLength(1);
    expect(at('(--tablet) and (--beyond-phone)')).toEqual([]);
    expect(at('(prefers-reduced-motion: reduce)')).toEqual([]);
  });

  test('colours that are no tokens', () => {
    const value = (text: string) => strayColours(one(`@layer ui { .box { --x: ${text} } }`));
    for (const colour of ['#fff', 'rgb(0 0 0 / 0.5)', '1px solid red', 'oklch(0.5 0.1 20)', 'Canvas white']) {
      expect(value(colour)).toHaveLength(1);
    }
    const mixed = 'color-mix(in oklab, var(--line) 55%, var(--ground))';
    for (const fine of ['1px solid var(--line)', 'var(--red)', mixed, 'transparent', 'spin 1s linear']) {
      expect(value(fine)).toEqual([]);
    }
  });

  test('classes that nothing has', () => {
    const sheet = one('@layer ui { .box { &.box-wide { top: 0 } & .lid:hover { top: 0 } } }');
    const code = 'className={`box box-${look}`}';
    expect(deadClasses([sheet], [code])).toEqual(['web/ui/Box.css: .lid']);
    expect(deadClasses([sheet], [code, '"lid"'])).toEqual([]);
  });

  test('braces that do not match', () => expect(() => parseStyleSheet('.box { top: 0')).toThrow('braces'));
});
