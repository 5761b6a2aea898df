import { describe, expect, test } from 'bun:test';
import { bestOfLuck } from '#subjects/odds/rules/luck.ts';
import type { OddsDays } from '#subjects/odds/rules/result.ts';
import { type EntryFigures, resultOf } from '#subjects/odds/rules/statistics.ts';
import { studentT95 } from '#subjects/odds/rules/studentT.ts';

const DATES = Array.from({ length: 12 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`);
const NONE_LEFT_OUT = { noFill: 0, noExit: 0, gap: 0 };

/** Entries of one stock at 10:00, by session and result. */
function figures(entries: readonly (readonly [session: number, result: number])[]): EntryFigures {
  const all = (value: number): number[] => entries.map(() => value);
  const results = entries.map(([, result]) => result);
  return {
    count: entries.length,
    stocks: all(0),
    sessions: entries.map(([session]) => session),
    minutes: all(600),
    fills: all(1),
    results,
    resultsBefore: results.map((result) => result + 0.5),
    news: all(0),
  };
}

const statistics = (entries: EntryFigures) =>
  resultOf({
    entries,
    dates: DATES,
    sessions: DATES.length,
    gapMinutes: DATES.map(() => 0),
    leftOut: NONE_LEFT_OUT,
    notes: [],
  });

test('the quantile is that of Student’s distribution', () => {
  const found = [1, 2, 3, 10, 29, 89].map((degrees) => studentT95(degrees).toFixed(3));
  expect(found).toEqual(['12.706', '4.303', '3.182', '2.228', '2.045', '1.987']);
});

describe('a sample', () => {
  const { all } = statistics(
    figures([
      [0, 2],
      [0, 4],
      [1, -1],
      [2, -3],
    ]),
  );

  test('has the numbers of its entries', () => {
    expect(all).toMatchObject({
      entries: 4,
      stocks: 1,
      days: 3,
      mean: 0.5,
      median: 0.5,
      winners: 50,
      profitFactor: 1.5,
      best: 4,
      worst: -3,
      meanBefore: 1,
      isTooFew: true,
    });
  });

  test('has an interval in which the entries of a day count as one', () => {
    // Deviations by day: 5, −1.5 and −3.5.
    const margin = 4.30265 * Math.sqrt((3 / 2) * (25 + 2.25 + 12.25)) * 0.25;
    expect((all.high ?? 0) - 0.5).toBeCloseTo(margin, 3);
    expect(0.5 - (all.low ?? 0)).toBeCloseTo(margin, 3);
  });

  test('has no interval on one day, and no numbers without an entry', () => {
    expect(
      statistics(
        figures([
          [0, 1],
          [0, 2],
        ]),
      ).all,
    ).toMatchObject({ mean: 1.5, low: null, high: null });
    expect(statistics(figures([])).all).toMatchObject({ entries: 0, mean: null, profitFactor: null });
  });

  test('without a loss has no profit factor', () => {
    expect(
      statistics(
        figures([
          [0, 1],
          [1, 2],
        ]),
      ).all.profitFactor,
    ).toBeNull();
  });

  test('is large enough with 30 entries on 10 days', () => {
    const many = Array.from({ length: 30 }, (_, at) => [at % 10, 1] as const);
    expect(statistics(figures(many)).all.isTooFew).toBe(false);
    expect(statistics(figures(many.slice(1))).all.isTooFew).toBe(true);
    expect(statistics(figures(many.map(([session]) => [session % 9, 1]))).all.isTooFew).toBe(true);
  });
});

test('the last third of the sessions is held out', () => {
  const { earlier, heldOut, heldOutFrom } = statistics(
    figures([
      [0, 1],
      [7, 2],
      [8, 5],
      [11, 7],
    ]),
  );
  expect([earlier.mean, heldOut.mean, heldOutFrom]).toEqual([1.5, 6, '2026-11-09']);
});

test('results are counted in ranges of one percent, the outer ones open', () => {
  const { distribution } = statistics(
    figures([
      [0, -50],
      [0, -10],
      [0, -0.1],
      [0, 0],
      [0, 9.9],
      [0, 10],
      [0, 200],
    ]),
  );
  const counted = distribution.counts.flatMap((count, at) =>
    count > 0 ? [[distribution.edges[at - 1] ?? null, count]] : [],
  );
  expect(counted).toEqual([
    [null, 1],
    [-10, 1],
    [-1, 1],
    [0, 1],
    [9, 1],
    [10, 2],
  ]);
});

test('entries are grouped by hour, price and announcement', () => {
  const entries: EntryFigures = {
    ...figures([
      [0, 1],
      [0, 2],
      [0, 3],
    ]),
    minutes: [500, 659, 970],
    fills: [0.019, 0.02, 10],
    news: [1, 0, 0],
  };
  const { byHour, byPrice, byNews } = statistics(entries);
  const shown = (groups: typeof byHour) =>
    groups.flatMap(({ label, sample }) => (sample.entries > 0 ? [`${label}: ${sample.mean}`] : []));
  expect(shown(byHour)).toEqual(['Before 10:00: 1', '10:00 to 11:00: 2', 'From 16:00: 3']);
  expect(shown(byPrice)).toEqual(['Under $0.02: 1', '$0.02 to $0.10: 2', '$10 or over: 3']);
  expect(shown(byNews)).toEqual(['With an announcement: 1', 'Without an announcement: 2.5']);
});

describe('luck', () => {
  const days: OddsDays = {
    dates: DATES,
    entries: DATES.map(() => 1),
    sumsBefore: DATES.map(() => 1),
    sums: DATES.map(() => 0.5),
    gapMinutes: DATES.map(() => 0),
  };

  test('of one variant is around the costs', () => {
    const luck = bestOfLuck(days, 1);
    expect(luck?.median).toBeCloseTo(-0.5, 9);
    // Twelve coins: at least nine heads have a chance of 7 %, at least ten of 2 %.
    expect(luck?.high).toBeCloseTo(9 / 12 - 3 / 12 - 0.5, 9);
  });

  test('grows with the number of variants, up to the largest possible mean', () => {
    const highs = [1, 5, 20, 100, 10_000].map((variants) => bestOfLuck(days, variants)?.high ?? 0);
    expect(highs).toEqual(highs.toSorted((a, b) => a - b));
    expect(highs.at(-1)).toBeCloseTo(0.5, 9);
    expect((highs[2] ?? 0) > (highs[0] ?? 0)).toBe(true);
  });

  test('is unknown without an entry', () => {
    expect(bestOfLuck({ ...days, entries: DATES.map(() => 0) }, 3)).toBeNull();
  });
});
