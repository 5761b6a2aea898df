import { describe, expect, test } from 'bun:test';
import { createRandom } from '#lib/random.ts';
import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { priceAtStep, stepIndex } from '#market/rules/priceStep.ts';
import { nextTradingDay } from '#market/rules/tradingDay.ts';
import { openSessions } from '#market/sessions/files.ts';
import { createListings } from '#sources/quotes/simulator/listings.ts';
import { makeSessions } from '#sources/quotes/simulator/sessions.ts';
import { SHARED_SCANNERS } from '#subjects/alerts/answers/scanAlert.ts';
import { NO_SCANS } from '#subjects/conditions/rules/savedScan.ts';
import type { OddsResult } from '#subjects/odds/rules/result.ts';
import { DEFAULT_ODDS_SETTINGS } from '#subjects/odds/rules/settings.ts';
import { OddsRun } from '#subjects/odds/server/engine/run.ts';
import { field, is } from '../../../support/conditions.ts';
import { FREE, oddsOf, scanOf } from '../../../support/oddsOf.ts';
import type { RecordedDay, RecordedMinute } from '../../../support/recordedSessions.ts';
import { tempFolders } from '../../../support/tempFolder.ts';

const tempFolder = tempFolders();

const SEEDS = 20;
const LISTINGS = createListings().filter((_, index) => index % 50 === 0);

const datesFrom = (first: string, count: number): string[] => {
  const dates = [first];
  while (dates.length < count) dates.push(nextTradingDay(dates.at(-1) ?? first));
  return dates;
};

/** The results of all built-in scanners on simulated sessions. */
function resultsOf(seed: number, dates: readonly string[]): OddsResult[] {
  const folder = tempFolder();
  makeSessions({ folder, source: 'fair', dates, seed, listings: LISTINGS }, () => {});
  const sessions = openSessions(folder, 'fair');
  const runs = SHARED_SCANNERS.map(
    (key) =>
      new OddsRun({
        scan: { type: 'scanner', key, filters: { minValue: 5000 } },
        settings: DEFAULT_ODDS_SETTINGS,
        scanOf: NO_SCANS,
        catalog: builtInCatalog(),
        dates,
        adjustments: () => [],
        ignoreStatus: false,
      }),
  );
  for (const date of dates) {
    const session = sessions.read(date);
    if (!session) throw new Error(`${date} was not made.`);
    for (const run of runs) run.begin(session);
    for (const stock of session.stocks()) for (const run of runs) run.stock(stock);
    for (const run of runs) run.end();
  }
  return runs.map((run) => run.result());
}

/** The mean of all entries and its standard error, with the days of all seeds as samples. */
function pooled(
  results: readonly OddsResult[],
  sums: 'sums' | 'sumsBefore',
): { mean: number; error: number; count: number } {
  const days = results.flatMap(({ days: of }) =>
    of.dates.map((_, at) => ({ n: of.entries[at] ?? 0, sum: of[sums][at] ?? 0 })),
  );
  const count = days.reduce((total, { n }) => total + n, 0);
  const mean = days.reduce((total, { sum }) => total + sum, 0) / count;
  const squares = days.reduce((total, { n, sum }) => total + (sum - n * mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares) / count, count };
}

describe('on the simulator’s fair walk', () => {
  test('no built-in scanner makes money after costs, nor moves the price before them', () => {
    const dates = datesFrom('2026-11-02', 5);
    const all = Array.from({ length: SEEDS }, (_, seed) => resultsOf(seed + 1, dates));
    for (const [index, key] of SHARED_SCANNERS.entries()) {
      const results = all.flatMap((one) => one[index] ?? []);
      const [before, after] = [pooled(results, 'sumsBefore'), pooled(results, 'sums')];
      expect({ key, isEnough: before.count >= 100 }).toEqual({ key, isEnough: true });
      expect({ key, isNoise: Math.abs(before.mean) < 3.5 * before.error, before }).toMatchObject({
        key,
        isNoise: true,
      });
      expect({ key, isLoss: after.mean < 0 }).toEqual({ key, isLoss: true });
    }
  }, 120_000);
});

const EDGE = 2;
/** Minutes after the signal in which the edge is earned. */
const EARNED = 20;

/** A walk of a dollar stock in half cents, with a burst of volume at a random minute, after which the price rises. */
function walk(random: () => number, edge: number): RecordedMinute[] {
  const signal = 620 + Math.floor(random() * 250);
  let exact = 5;
  let lift = 0;
  return Array.from({ length: 360 }, (_, at): RecordedMinute => {
    const minute = 600 + at;
    exact *= 1 + (random() - 0.5) / 500;
    // From the minute after the fill on, so that the fill has none of it.
    if (minute > signal + 1 && minute <= signal + 1 + EARNED) lift += edge / 100 / EARNED;
    const price = priceAtStep(Math.round(stepIndex(exact * (1 + lift))));
    return { minute, trades: price, relativeVolume: minute === signal ? 5 : 1 };
  });
}

const planted = (edge: number): RecordedDay[] => {
  const random = createRandom(7);
  return datesFrom('2026-10-01', 30).map((date) => ({
    date,
    stocks: Array.from({ length: 10 }, (_, at) => ({
      code: `ST${at}`,
      close: 5,
      minutes: walk(random, edge),
    })),
  }));
};

describe('a planted edge', () => {
  const scan = scanOf(is(field('relativeVolume'), '>', 3));
  const settings = { ...FREE, exit: { kind: 'minutes', minutes: 30 } } as const;

  test('is found with its size', () => {
    const { all, heldOut, earlier } = oddsOf(scan, settings, planted(EDGE)).result();
    expect(all.entries).toBe(300);
    expect(all.low).toBeLessThan(EDGE);
    expect(all.high).toBeGreaterThan(EDGE);
    expect(all.low).toBeGreaterThan(EDGE * 0.8);
    expect([earlier.mean, heldOut.mean].every((mean) => Math.abs((mean ?? 0) - EDGE) < 0.5)).toBe(true);
  });

  test('is not found where there is none', () => {
    const { all } = oddsOf(scan, settings, planted(0)).result();
    expect(all.low).toBeLessThan(0);
    expect(all.high).toBeGreaterThan(0);
  });

  test('is smaller than the costs of a small trade', () => {
    const costly = { ...settings, brokerage: 0.1, minBrokerage: 10, amount: 500, steps: 1 };
    const { all } = oddsOf(scan, costly, planted(EDGE)).result();
    // 2 % brokerage per side, and a step of 0.2 %.
    expect(all.meanBefore).toBeGreaterThan(EDGE * 0.8);
    expect(all.high).toBeLessThan(0);
  });
});
