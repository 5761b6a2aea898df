import { describe, expect, test } from 'bun:test';
import {
  blindSpan,
  blindUntil,
  cameAgain,
  clipSpans,
  type Coverage,
  MAX_BLIND_SPANS,
} from '../../../src/market/bars/rules/coverage.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';

const at = (date: string, hour: number, minute = 0) => fromSydney(date, hour, minute);
const SILENCE = 60_000;

describe('a stretch without prices', () => {
  test('within a day is as long as it was', () => {
    expect(blindSpan(at('2026-11-18', 11), at('2026-11-18', 12))).toEqual({
      ...{ from: at('2026-11-18', 11), until: at('2026-11-18', 12), days: null },
    });
  });

  test('over a night, a weekend or a holiday is none', () => {
    expect(blindSpan(at('2026-11-18', 17), at('2026-11-19', 9))).toBeNull();
    expect(blindSpan(at('2026-11-20', 18), at('2026-11-23', 7))).toBeNull();
    expect(blindSpan(at('2026-12-25', 9), at('2026-12-28', 18))).toBeNull();
  });

  test('over days counts those of which nothing was seen', () => {
    expect(blindSpan(at('2026-11-18', 15), at('2026-11-24', 11))).toEqual({
      from: at('2026-11-18', 15),
      until: at('2026-11-24', 11),
      days: { first: '2026-11-19', last: '2026-11-23' },
    });
  });

  test('on an early close ends with post close trading, at 14:31:30', () => {
    const until = blindSpan(at('2026-12-24', 13), at('2026-12-24', 20))?.until;
    expect(until).toBe(fromSydney('2026-12-24', 14, 31, 30));
  });
});

describe('what was seen', () => {
  const before: Coverage = { since: at('2026-11-17', 10), seen: at('2026-11-18', 11), blind: [] };

  test('begins with the first prices', () => {
    expect(cameAgain(null, 5, SILENCE)).toEqual({ since: 5, seen: 5, blind: [] });
  });

  test('a pause shorter than the limit is nothing, a longer one is kept', () => {
    expect(cameAgain(before, before.seen + SILENCE, SILENCE).blind).toEqual([]);
    const now = at('2026-11-18', 11, 20);
    expect(cameAgain(before, now, SILENCE).blind).toEqual([{ from: before.seen, until: now, days: null }]);
  });

  test('a pause that lasts is told while it lasts, and not kept', () => {
    const now = at('2026-11-18', 11, 20);
    expect(blindUntil(before, now, SILENCE)).toEqual([{ from: before.seen, until: now, days: null }]);
    expect(before.blind).toEqual([]);
  });

  test('a clock that was set back makes no stretch', () => {
    const now = at('2026-11-18', 10);
    expect(cameAgain(before, now, SILENCE)).toEqual({ since: before.since, seen: now, blind: [] });
  });

  test('is bounded', () => {
    const span = { from: 1, until: 2, days: null };
    const full = { ...before, blind: Array.from({ length: MAX_BLIND_SPANS }, () => span) };
    expect(cameAgain(full, at('2026-11-18', 12), SILENCE).blind).toHaveLength(MAX_BLIND_SPANS);
  });
});

test('of stretches is left what lies within another; one that only touches it is not', () => {
  const spans = [
    { from: 0, until: 10 },
    { from: 5, until: 15 },
    { from: 12, until: 18 },
    { from: 15, until: 30 },
    { from: 20, until: 30 },
  ];
  expect(clipSpans(spans, { from: 10, until: 20 })).toEqual([
    { from: 10, until: 15 },
    { from: 12, until: 18 },
    { from: 15, until: 20 },
  ]);
});
