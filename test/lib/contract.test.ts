import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  boolean,
  choice,
  integer,
  list,
  map,
  nothing,
  number,
  orNull,
  text,
  words,
} from '#lib/contract/fields.ts';
import { misfitOf } from '#lib/contract/misfit.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import {
  readBoolean,
  readCount,
  readIsoTime,
  readList,
  readMap,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '#lib/read.ts';

const price = object({ at: words, price: number, note: orNull(text) }, ['price']);

test('reads only the named members of an object, and null if it cannot', () => {
  expect(price.read({ price: '12.5', note: 7, novelty: {} })).toEqual({ at: null, price: 12.5, note: '7' });
});

const { form } = object({
  name: sent(text, { maxLength: 5 }),
  kind: choice(['a', 'b']),
  parts: sent(list(object({ count: integer, price: orNull(number) })), { maxItems: 2 }),
  by: optional(map(boolean)),
  none: nothing,
});
const GOOD = { name: 'BHP', kind: 'a', parts: [{ count: 1, price: null }], none: null };

describe('a misfit', () => {
  test('is not reported for a valid value', () => {
    expect(misfitOf(form, GOOD)).toBeNull();
    expect(misfitOf(form, { ...GOOD, by: { x: true }, more: 1 })).toBeNull();
  });

  const cases: [change: object, path: string, isTooMuch: boolean][] = [
    [{ name: 'too long' }, 'name', true],
    [{ name: 7 }, 'name', false],
    [{ kind: 'c' }, 'kind', false],
    [{ parts: [GOOD.parts[0], GOOD.parts[0], GOOD.parts[0]] }, 'parts', true],
    [{ parts: [{ count: 1.5, price: 1 }] }, 'parts[0].count', false],
    [{ parts: [{ count: 1 }] }, 'parts[0].price', false],
    [{ parts: [{ count: 1, price: Number.NaN }] }, 'parts[0].price', false],
    [{ by: { x: 'yes' } }, 'by.x', false],
    [{ none: 0 }, 'none', false],
  ];
  test.each(cases)('%p is reported at %s', (change, path, isTooMuch) => {
    expect(misfitOf(form, { ...GOOD, ...change })).toEqual({ path, isTooMuch });
  });
});

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('parsing a single value', () => {
  test.each([
    [12.5, 12.5],
    [' -3 ', -3],
    [' ', null],
    ['12.5 AUD', null],
    [JSON.parse('1e999'), null],
    [{}, null],
  ])('reads %j as the number %p', (value, number) => expect(readNumber(value)).toBe(number));

  test.each([
    [NOON, NOON],
    [String(NOON), NOON],
    ['2026-11-20T12:00:00Z', NOON],
    ['2026-11-20T23:00:00+11:00', NOON],
    ['2026-11-20', NOON - 43_200_000],
    ['yesterday', null],
    ['', null],
    [8.64e15, null],
    ['+275760-09-13T00:00:00Z', null],
    [{}, null],
  ])('reads %j as the time %p', (value, time) => {
    expect(readTime(value)).toBe(time);
    expect(readIsoTime(value)).toBe(time === null ? null : new Date(time).toISOString());
  });
});

test('ignores a prototype in a member named __proto__', () => {
  const read = readMap(JSON.parse('{"__proto__": {"a": 1}}'), readRecord);
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
});

test('never throws, whatever the input', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: false, withNullPrototype: true }), (value) => {
      const number = readNumber(value);
      expect(number === null || Number.isFinite(number)).toBe(true);
      const text = readText(value);
      expect(text === null || typeof text === 'string').toBe(true);
      const iso = readIsoTime(value);
      expect(iso === null || iso.length === 24).toBe(true);
      expect(readList(value, readBoolean).every((item) => typeof item === 'boolean')).toBe(true);
      expect(Object.values(readMap(value, readCount)).every(Number.isInteger)).toBe(true);
    }),
  );
});
