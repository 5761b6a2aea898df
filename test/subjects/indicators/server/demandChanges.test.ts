import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { openMemoryDb } from '#support/memoryDb.ts';
import { type DemandItem, indicatorKey } from '#market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import { Demand } from '#market/indicators/demand.ts';
import { MAX_NEW_VALUES_A_TICK } from '#market/indicators/engine.ts';
import { createValues } from '#market/indicators/values.ts';
import { ObservedMarket } from '#market/observed.ts';
import { benchHistory } from '#scripts/bench/support/barHistory.ts';
import { FAMILIES, familyOf } from '#support/bars.ts';
import { atOnce } from '#support/handScheduler.ts';
import { createHandSource } from '#support/handSource.ts';
import { appOf } from '#support/appOf.ts';

const NOW = fromSydney('2026-11-19', 11, 0);
const SLUGS = ['sma', 'ema', 'rsi', 'mom', 'change-abs', 'close', 'bb-upper', 'atr', 'ao', 'volume'].filter(
  (slug) => FAMILIES[slug],
);

const item = (slug: string, tf: Timeframe): DemandItem => ({
  kind: 'indicator',
  choice: { family: slug, params: {}, tf, delay: 0 },
  key: indicatorKey(familyOf(slug), {}),
});
const columns = (...timeframes: Timeframe[]): DemandItem[] =>
  timeframes.flatMap((tf) => SLUGS.map((slug) => item(slug, tf)));

type Options = Partial<Pick<Parameters<typeof createValues>[1], 'later' | 'schedule'>> & {
  clock?: { now(): number; monotonic(): number };
};

/** The day's range so far, for any last price. */
const RANGE = { open: 5, high: 5.01, low: 5 };

/** The bars and indicators of this many stocks that all trade. */
async function open(stocks: number, options: Options = {}) {
  const {
    clock = { now: () => NOW, monotonic: () => 0 },
    later = (run) => run(),
    schedule = atOnce,
  } = options;
  const log = createLog((line) => {
    if (line.level === 'error') throw new Error(line.message);
  });
  const source = createHandSource({ now: () => NOW }, { history: benchHistory(0.05) });
  const market = new ObservedMarket({ clock: source.clock }, log);
  const demand = new Demand();
  const db = openMemoryDb();
  const values = createValues(appOf({ db, clock, log, market, source }), {
    demand,
    families: () => FAMILIES,
    later,
    schedule,
  });
  await values.start();
  const codes = Array.from({ length: stocks }, (_, index) => `S${index}`);
  market.apply(codes.map((code) => ({ code, ...RANGE, last: 5, volume: 1000 })));
  market.flush();
  return { market, demand, values, codes, close: () => (values.stop(), db.$client.close()) };
}

/** The number of numbers and nulls in an upsert. */
const leaves = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, member) => sum + leaves(member), 0)
    : 1;

test('changing columns adds and removes a limited number of values per tick, until it is complete', async () => {
  const { market, demand, codes, close } = await open(120);
  const all = columns('D', '60', 'W');
  const ticks = (): number[] => {
    const counts: number[] = [];
    for (let next = market.flush(); next; next = market.flush()) counts.push(leaves(next.upsert));
    return counts;
  };
  // Removing all in one tick would be 3,600 values.
  for (const chosen of [all, all.slice(0, 3), []]) {
    demand.set('user:1', chosen);
    const counts = ticks();
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_NEW_VALUES_A_TICK + all.length);
    expect(counts.length).toBeGreaterThan(0);
    for (const code of codes) expect(leaves(market.get(code)?.indicators ?? {})).toBe(chosen.length);
  }
  close();
});

test('changing columns leaves each stock with exactly the last chosen values, whatever happened before', async () => {
  // Daily bars follow from the quote at any time.
  const pool = columns('D', 'W');
  const change = fc.record({
    chosen: fc.subarray(pool),
    turns: fc.nat({ max: 30 }),
    flushes: fc.nat({ max: 2 }),
    traded: fc.nat({ max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const turns: (() => void)[] = [];
      let passed = 0;
      // A slice ends after a few steps, so that changes fall into its middle.
      const clock = { now: () => NOW, monotonic: () => (passed += 1) };
      const { market, demand, codes, close } = await open(6, { clock, later: (run) => turns.push(run) });
      const turn = (): void => turns.shift()?.();
      for (const { chosen, turns: count, flushes, traded } of changes) {
        demand.set('user:1', chosen);
        for (let index = 0; index < count; index += 1) turn();
        market.apply([{ code: `S${traded}`, last: 5.01, volume: 2000 + passed }]);
        for (let index = 0; index < flushes; index += 1) market.flush();
      }
      while (turns.length > 0) turn();
      while (market.flush() !== null);
      const last = changes.at(-1)?.chosen ?? [];
      const fresh = await open(6);
      fresh.market.apply(codes.map((code) => ({ code, ...RANGE, ...shownOf(market.get(code)) })));
      fresh.demand.set('user:1', last);
      while (fresh.market.flush() !== null);
      for (const code of codes) {
        expect(market.get(code)?.indicators).toEqual(fresh.market.get(code)?.indicators);
      }
      fresh.close();
      close();
    }),
    { numRuns: 15 },
  );
});

const shownOf = (stock: { last: number | null; volume: number | null } | undefined) => ({
  last: stock?.last ?? 5,
  volume: stock?.volume ?? 1000,
});
