import { describe, expect, test } from 'bun:test';
import { type Chunk, joinChunks, nameByContent } from '../../scripts/build/joinChunks.ts';

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

  test('every address in a text is that of a chunk', async () => {
    const named = [...nameByContent(await joinChunks(chunks(), GROUP, 'both.js')).values()];
    const known = new Set(named.map(({ name }) => name));
    const addresses = named.flatMap(({ text }) => [...text.matchAll(/\/assets\/([\w.-]+)/g)]);
    expect(addresses.length).toBeGreaterThan(5);
    for (const [, name = ''] of addresses) expect(known).toContain(name);
  });
});
