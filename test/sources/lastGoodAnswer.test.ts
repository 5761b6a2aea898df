import { describe, expect, test } from 'bun:test';
import { createLastGoodAnswer, formOf, sampleText, someOf } from '../../src/sources/lastGoodAnswer.ts';
import { canTell, missingIn } from '../../src/sources/rowFields.ts';

describe('the last good answer', () => {
  function setUp() {
    const kept: string[] = [];
    let now = 0;
    const answer = createLastGoodAnswer((text) => kept.push(text), { monotonic: () => now });
    return { answer, kept, pass: (ms: number) => (now += ms) };
  }
  test('is kept once, when another form follows, and not before', () => {
    const { answer, kept } = setUp();
    answer.bad();
    answer.good({ at: 1, rows: [{ a: 1 }] });
    answer.good({ at: 2, rows: [{ a: 2 }] });
    expect(kept).toEqual([]);
    answer.bad();
    answer.bad();
    expect(kept).toEqual(['{"at":2,"rows":[{"a":2}]}']);
  });
  test('is kept every ten minutes at most where forms come and go', () => {
    const { answer, kept, pass } = setUp();
    for (let turn = 0; turn < 21; turn += 1) {
      answer.good({ at: turn, rows: [1] });
      answer.bad();
      pass(60_000);
    }
    expect(kept).toHaveLength(3);
  });
  test('is a few rows from all over the list, small whatever they are', () => {
    expect(someOf([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([0, 2, 4, 6]);
    expect(someOf([0, 1])).toEqual([0, 1]);
    const wide = Array.from({ length: 300 }, () => 'x'.repeat(1000));
    const some = sampleText({ at: 0, rows: [{ a: 1 }, wide] });
    expect(some).toBe('{"at":0,"rows":[{"a":1}]}');
    expect(sampleText({ at: 0, rows: [wide] })).toBeNull();
    let deep: unknown = 1;
    for (let level = 0; level < 50; level += 1) deep = [deep];
    expect(sampleText({ at: 0, rows: [deep] })).toBe('{"at":0,"rows":[[[[["…"]]]]]}');
  });
  test('is given away as names of fields, figures and times alone', () => {
    const row = { headline: 'Anna wrote', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null, 'a b': 1 };
    const form = { headline: 'text of 10', 'VWAP|1': 2.5, date: '2026-11-18T00:00:00Z', ok: null };
    expect(formOf({ at: 1, rows: [row, ['2026-11-18', true]] })).toEqual({
      ...{ at: 1, rows: [form, ['2026-11-18', true]] },
    });
  });
});

describe('the fields of rows', () => {
  const FIELDS = [
    { name: 'names', isIn: ({ name }: Record<string, unknown>) => typeof name === 'string' },
    { name: 'types', isIn: ({ type }: Record<string, unknown>) => typeof type === 'string' },
  ];
  const rows = (count: number, lacking: number) =>
    Array.from({ length: count }, (_, at) => ({ name: 'a', ...(at >= lacking && { type: 'b' }) }));
  test('are missing where more than half lack them', () => {
    expect(missingIn(rows(20, 10), FIELDS)).toEqual([]);
    expect(missingIn(rows(20, 11), FIELDS)).toEqual(['types']);
    expect(missingIn([...rows(9, 0), ...Array.from({ length: 11 }, () => null)], FIELDS)).toEqual([
      ...['names', 'types'],
    ]);
  });
  test('of a handful of rows prove nothing', () => {
    expect(missingIn(rows(9, 9), FIELDS)).toEqual([]);
    expect([canTell(rows(9, 9)), canTell(rows(10, 0))]).toEqual([false, true]);
  });
});
