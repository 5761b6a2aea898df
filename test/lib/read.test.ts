import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readMap,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../src/lib/read.ts';

const NOON = Date.parse('2026-11-20T12:00:00Z');

describe('one value', () => {
  test.each([
    [12.5, 12.5],
    [0, 0],
    ['12.5', 12.5],
    [' -3 ', -3],
    ['', null],
    [' ', null],
    ['12.5 AUD', null],
    [Number.NaN, null],
    [JSON.parse('1e999'), null],
    ['Infinity', null],
    [true, null],
    [null, null],
    [[1], null],
    [{}, null],
  ])('%j as a number is %p', (value, number) => expect(readNumber(value)).toBe(number));

  test.each([
    [7, 7],
    ['7', 7],
    [0, 0],
    [-1, null],
    [1.5, null],
    [null, null],
  ])('%j as a count is %p', (value, count) => expect(readCount(value)).toBe(count));

  test.each([
    ['a', 'a'],
    ['', ''],
    [60, '60'],
    [Number.NaN, null],
    [true, null],
    [null, null],
    [{}, null],
  ])('%j as text is %p', (value, text) => expect(readText(value)).toBe(text));

  test.each([
    [true, true],
    [1, true],
    ['true', true],
    ['1', true],
    [false, false],
    [0, false],
    ['false', false],
    ['0', false],
    ['yes', null],
    [2, null],
    [null, null],
    [{}, null],
  ])('%j as true or false is %p', (value, boolean) => expect(readBoolean(value)).toBe(boolean));

  test.each([
    [NOON, NOON],
    [NOON + 0.5, NOON],
    [String(NOON), NOON],
    ['2026-11-20T12:00:00Z', NOON],
    ['2026-11-20T23:00:00+11:00', NOON],
    ['2026-11-20', NOON - 43_200_000],
    ['yesterday', null],
    ['', null],
    [8.64e15, null],
    ['+275760-09-13T00:00:00Z', null],
    [-8.64e15, null],
    [true, null],
    [null, null],
    [{}, null],
  ])('%j as a time is %p', (value, time) => {
    expect(readTime(value)).toBe(time);
    expect(readIsoTime(value)).toBe(time === null ? null : new Date(time).toISOString());
  });

  test('a choice is found whatever its letter case', () => {
    const read = readChoice(['Pre Open', 'Open', '60']);
    expect(['open', 'PRE OPEN', 60, 'closed', null, {}].map(read)).toEqual([
      'Open',
      'Pre Open',
      '60',
      null,
      null,
      null,
    ]);
  });
});

describe('several values', () => {
  test('of a list those that can be read', () => {
    expect(readList([1, 'a', '2', null, {}], readNumber)).toEqual([1, 2]);
    expect(readList({ 0: 1 }, readNumber)).toEqual([]);
    expect(readList(null, readNumber)).toEqual([]);
  });
  test('of an object those that can be read', () => {
    expect(readMap({ a: 1, b: 'b', c: '3' }, readNumber)).toEqual({ a: 1, c: 3 });
    expect(readMap(['1'], readNumber)).toEqual({});
    expect(readRecord([1])).toEqual({});
    expect(readRecord({ a: 1 })).toEqual({ a: 1 });
  });
  test('a member named __proto__ changes no prototype', () => {
    const read = readMap(JSON.parse('{"__proto__": {"a": 1}}'), readRecord);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

test('no reader throws, whatever comes', () => {
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
