import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isPageCode } from '../../scripts/pageCode.ts';
import { growsTooFast } from '../support/growth.ts';
import { findTextWork, type TextWork } from '../support/textWork.ts';
import { BOUNDED, FROM_OUTSIDE } from '../support/textPlaces.ts';

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

  test('is measured, or something is said that bounds it', () => {
    const known = new Set([...Object.keys(FROM_OUTSIDE), ...Object.keys(BOUNDED)]);
    // A new one of what comes from outside goes into FROM_OUTSIDE of test/support/textPlaces.ts, where it is measured on
    // hostile texts; any other into BOUNDED, with what bounds it.
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

const LENGTH = 16_000;

/** What somebody sends who means harm: each is repeated, and each stands before a second one. */
const PIECES = [
  ...['\u0300', '\u0316', '\u0300\u0316', 'a\u0300\u0316', '\u0f71\u0f72\u0f74', '\uff9e', '\u0345\u0334'],
  ...['\ud800', '\udc00', '\u{1F600}', '\u{1F469}\u200d', '\u{1F1E6}', '\u1100', '\ufdfa', '\u0130', 'ß'],
  ...[' ', '\n', '\r\n', '\t', '\u2028', '\u200b', '\u202e', '\u0000', '\u3000', '\u00a0'],
  ...['a', 'A', '1', 'a ', 'BHP ', '1.', '-', '_', '*', '**a', '`', '[', '](', '<', '>', '|', ',', ';', ':'],
  ...['.', '/', '\\', '"', "'", '%', '%25', '@', '#', '&', '=', '$', '1_', 'www.', 'https://', '/price '],
  ...['0'.repeat(64), '127.0.0.1,', '::', '\uff9e\u0300'],
];
const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const MARKS = ['\u0300', '\u0316', '\uff9e'];
const hostile = (length: number): string[] => [
  ...PIECES.map((piece) => filled(piece, length)),
  ...MARKS.flatMap((a) => MARKS.map((b) => filled(a, length / 2) + filled(b, length / 2))),
];

/** The beginning of the first text for which it takes too long; null when there is none. */
function slowText(work: (text: string) => unknown): string | null {
  const quarters = hostile(LENGTH / 4);
  const sixteenths = hostile(LENGTH / 16);
  const on =
    (text = '') =>
    () =>
      work(text);
  const index = hostile(LENGTH).findIndex((whole, at) =>
    growsTooFast({ sixteenth: on(sixteenths[at]), quarter: on(quarters[at]), whole: on(whole) }),
  );
  return index < 0 ? null : JSON.stringify((quarters[index] ?? '').slice(0, 20));
}

describe('none takes the square of its length on what somebody sends who means harm', () => {
  for (const [where, work] of Object.entries(FROM_OUTSIDE)) {
    test(where, () => expect(slowText(work)).toBeNull());
  }
});

describe('the checks themselves find what they look for', () => {
  test.each<[string, (text: string) => unknown]>([
    ['a normal form without a bound', (text) => text.normalize('NFC')],
    ['an order of names without a bound', (text) => text.localeCompare(`${text.slice(0, -1)}\u0317`, 'en')],
    [
      'a look back at the whole text for each character',
      (text) => {
        let same = 0;
        for (let at = 0; at < text.length; at += 1) {
          for (let back = 0; back < at; back += 1) same += Number(text[at] === text[back]);
        }
        return same;
      },
    ],
  ])('%s', (_, work) => expect(slowText(work)).not.toBeNull());

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
