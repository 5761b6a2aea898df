import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isPageCode } from '../../scripts/pageCode.ts';
import { BOUNDED, FROM_OUTSIDE } from '../support/textPlaces.ts';
import { findTextWork, type TextWork } from '../support/textWork.ts';

const root = join(import.meta.dir, '..', '..');

const server: TextWork[] = [];
const pages: TextWork[] = [];
for await (const path of new Bun.Glob('{src,web}/**/*.{ts,tsx}').scan({ cwd: root })) {
  const found = findTextWork(path, await Bun.file(join(root, path)).text());
  (isPageCode(path) ? pages : server).push(...found);
}
const described = (place: TextWork): string => `${place.where}: ${place.method} in line ${place.line}`;

describe('every place that takes a text apart or puts something in order', () => {
  test('is found', () => expect(server.length).toBeGreaterThan(60));

  test('is measured by the bench, or its bound is stated', () => {
    const known = new Set([...Object.keys(FROM_OUTSIDE), ...Object.keys(BOUNDED)]);
    // A new one of what comes from outside goes into FROM_OUTSIDE of test/support/textPlaces.ts, where `bun run bench texts`
    // measures it on hostile texts; any other into BOUNDED, with what bounds it.
    expect(server.filter(({ where }) => !known.has(where)).map(described)).toEqual([]);
  });

  test('and no other is listed as bounded', () => {
    const there = new Set(server.map(({ where }) => where));
    expect(Object.keys(BOUNDED).filter((where) => !there.has(where))).toEqual([]);
  });

  test('and normal forms, orders of names and what people see as a character have one place each', () => {
    const slow = new Set(['normalize', 'localeCompare', 'Collator', 'segment', 'Segmenter']);
    const places = [...server, ...pages].filter(({ method }) => slow.has(method)).map(({ where }) => where);
    expect([...new Set(places)].sort()).toEqual([
      'src/lib/unicode.ts compareNames',
      'src/lib/unicode.ts normalised',
      'src/platform/chatClients/messageText.ts fitted',
    ]);
  });
});

describe('the checks themselves find what they look for', () => {
  test.each([
    ["export const a = (b) => b.split('x');", 'a'],
    ["export function a(b) { return b?.normalize('NFC'); }", 'a'],
    ['const a = { b: (c) => [...c].sort() };', 'a'],
    ['const a = (b) => b.sort((c, d) => (c.e < d.e ? -1 : 1));', 'a'],
    ['class a { b(c) { return new Intl.Collator().compare(c, c); } }', 'a'],
    ['export const a = <p>{b.match(/c/)}</p>;', 'a'],
  ])('a place: %s', (code, name) =>
    expect(findTextWork('web/x.tsx', code).map(({ where }) => where)).toEqual([`web/x.tsx ${name}`]),
  );

  test.each([
    "export const a = 'b c'.split(' ');",
    'export const a = (b) => b.sort((c, d) => c.e - d.e || c.f - d.f);',
    '// a.normalize()',
  ])('no place: %s', (code) => expect(findTextWork('web/x.tsx', code)).toEqual([]));
});
