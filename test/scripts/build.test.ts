import { afterAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hashInputs } from '../../scripts/build/inputs.ts';
import { type Chunk, joinChunks, nameByContent } from '../../scripts/build/joinChunks.ts';
import { withoutPrefixedAny } from '../../scripts/build/prefixedAny.ts';
import { transformSignals } from '../../scripts/signalsPlugin.ts';
import { resolveBreakpoints } from '../../scripts/stylesPlugin.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function projectWith(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bellbird-tooling-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await Bun.write(join(root, path), text);
  }
  return root;
}

describe('what decides whether a build is stale', () => {
  const files = { 'src/main.ts': 'a', 'web/main.tsx': 'b', 'migrations/1.sql': 'c', 'bun.lock': 'd' };

  test('the same contents give the same hash, wherever and whenever they were written', async () => {
    const [here, there] = [await projectWith(files), await projectWith(files)];
    expect(await hashInputs(here, 'x')).toBe(await hashInputs(there, 'x'));
  });

  test('any input, its name, and the commit change it; other files do not', async () => {
    const base = await hashInputs(await projectWith(files), 'x');
    const changes: Record<string, string>[] = [
      { 'src/main.ts': 'changed' },
      { 'web/styles/new.css': '' },
      { 'migrations/2.sql': 'e' },
      { 'bun.lock': 'changed' },
    ];
    for (const change of changes) {
      expect(await hashInputs(await projectWith({ ...files, ...change }), 'x')).not.toBe(base);
    }
    expect(await hashInputs(await projectWith(files), 'y')).not.toBe(base);
    const moved = { ...files, 'src/other.ts': 'a', 'src/main.ts': '' };
    expect(await hashInputs(await projectWith(moved), 'x')).not.toBe(base);
    const unrelated = { ...files, 'README.md': 'new', 'test/a.test.ts': 'new', 'data/bellbird.db': 'new' };
    expect(await hashInputs(await projectWith(unrelated), 'x')).toBe(base);
  });
});

test('the signals transform reaches components and hooks, and leaves other code alone', async () => {
  const code = await transformSignals(
    `import { signal } from '@preact/signals-react';
     const count = signal<number>(1);
     export function Probe() { return <b>{count.value}</b>; }
     export const useProbe = (): number => count.value;
     export const helper = (): number => count.value;`,
    'web/Probe.tsx',
  );
  expect(code.match(/_useSignals\(\d\)/g)).toHaveLength(2);
  expect(code).toMatch(/helper = \(\): number => count\.value/);
  const plain = 'export const one: number = 1;';
  expect(await transformSignals(plain, 'web/plain.ts')).toBe(plain);
});

test('named breakpoints become media queries; a name that does not exist is refused', () => {
  const style = (name: string) => `.a { @media (${name}) and (hover) { color: red } }`;
  expect(resolveBreakpoints(style('--phone'), 'a.css')).toContain('@media (max-width: 640px) and (hover)');
  expect(resolveBreakpoints('.a { width: var(--phone) }', 'a.css')).toBe('.a { width: var(--phone) }');
  expect(() => resolveBreakpoints(style('--tiny'), 'a.css')).toThrow('a.css: there is no breakpoint --tiny.');
});

const NEEDS = [
  ['/assets/main-aaaaaaaa.js'],
  ['/assets/page-bbbbbbbb.js', 0, 2, 3],
  ['/assets/main-cccccccc.js', 0],
  ['/assets/main-dddddddd.js', 0, 2],
];
const KEYS = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'];

/** An entry, a page that it loads, and two small chunks that the page needs. */
const chunks = (price = 1): Chunk[] => [
  {
    name: 'main-aaaaaaaa.js',
    text: `var n=()=>{};n(import.meta.url,${JSON.stringify(KEYS)},${JSON.stringify(NEEDS)},0);var p=()=>(z("bbbbbbbb"),import("/assets/page-bbbbbbbb.js"));var q=(x)=>x;export{q};`,
  },
  {
    name: 'page-bbbbbbbb.js',
    text: 'import{q}from"/assets/main-aaaaaaaa.js";import"/assets/main-cccccccc.js";import{d}from"/assets/main-dddddddd.js";var P=q(d);export{P as Page};',
  },
  {
    name: 'main-cccccccc.js',
    text: `import{q}from"/assets/main-aaaaaaaa.js";var e=q(${price});export{e as c};`,
  },
  {
    name: 'main-dddddddd.js',
    text: 'import{c}from"/assets/main-cccccccc.js";var e=c+1;export{e as d};',
  },
];
const GROUP = new Set(['main-cccccccc.js', 'main-dddddddd.js']);

describe('joining chunks', () => {
  test('gives one chunk with every name, which the others import once', async () => {
    const joined = await joinChunks(chunks(), GROUP, 'both.js');
    expect(joined.map(({ name }) => name)).toEqual(['main-aaaaaaaa.js', 'page-bbbbbbbb.js', 'both.js']);
    const [, page, both] = joined;
    expect(both?.text).toMatch(/export\{.*\bc\b.*\bd\b.*\}/);
    expect(both?.text).toContain('from"/assets/main-aaaaaaaa.js"');
    expect(page?.text.match(/\/assets\/both\.js/g)).toHaveLength(2);
    expect(page?.text).toContain('{d}from"/assets/both.js"');
  });

  test('rebuilds the list of what each chunk needs', async () => {
    const [entry] = await joinChunks(chunks(), GROUP, 'both.js');
    const [, keys, needs] = /import\.meta\.url,(\[[^\]]*\]),(\[\[.*?\]\]),0/.exec(entry?.text ?? '') ?? [];
    expect(JSON.parse(keys ?? '')).toEqual(['aaaaaaaa', 'bbbbbbbb', '2']);
    expect(JSON.parse(needs ?? '')).toEqual([
      ['/assets/main-aaaaaaaa.js'],
      ['/assets/page-bbbbbbbb.js', 0, 2],
      ['/assets/both.js', 0],
    ]);
  });

  test('refuses two chunks that give away the same name, and an entry without its list', async () => {
    const clash = chunks().map((chunk) => ({
      ...chunk,
      text: chunk.text.replace('export{e as d}', 'export{e as c}'),
    }));
    expect(joinChunks(clash, GROUP, 'both.js')).rejects.toThrow('the name c;');
    const without = chunks().map((chunk) => ({
      ...chunk,
      text: chunk.text.replace(/n\(import.*?,0\);/, ''),
    }));
    expect(joinChunks(without, GROUP, 'both.js')).rejects.toThrow('The bundler has changed');
  });
});

describe('naming chunks by their content', () => {
  const names = async (price: number): Promise<string[]> =>
    [...nameByContent(await joinChunks(chunks(price), GROUP, 'both.js')).values()].map(({ name }) => name);

  test('the same contents give the same names, and any change gives all of them others', async () => {
    const before = await names(1);
    expect(await names(1)).toEqual(before);
    const after = await names(2);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
    expect(before.map((name) => name.replace(/-\w{8}\.js$/, ''))).toEqual(['main', 'page', 'both']);
  });
});

/** What the bundler makes of a sheet. */
async function bundled(css: string, minify: boolean): Promise<string> {
  const entry = '/sheet/sheet.css';
  const { outputs } = await Bun.build({ entrypoints: [entry], files: { [entry]: css }, minify });
  return (await outputs[0]?.text()) ?? '';
}

const SHEET = `
@layer ui, app;
@layer app {
  .table { color: red; & > :is(td, th) { padding: 1px; &:first-child { margin: 0; } } }
  @media (max-width: 640px) { .table :is(button, .link):hover { color: blue; } }
  .last { color: green; }
}`;

for (const minify of [true, false]) {
  test(`a rule with :is() stands in the sheet once, and weighs what it says (minified: ${minify})`, async () => {
    const css = await bundled(SHEET, minify);
    // What this is there for: without it the module could go.
    expect(css).toContain(':-webkit-any(');
    const clean = withoutPrefixedAny(css);
    expect(clean).not.toContain('-any(');
    const rules = (text: string) => text.match(/[^{};]{1,200}\{/g)?.map((rule) => rule.trim()) ?? [];
    expect(rules(clean)).toEqual(rules(css).filter((rule) => !rule.includes('-any(')));
    expect(clean).toContain('ui');
    expect(clean.match(/:is\(/g)).toHaveLength(3);
  });
}
