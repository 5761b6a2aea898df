import type { SeenTimes } from '#market/bars/coverage.ts';
import { standIn } from '#support/appOf.ts';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createLog } from '#lib/log.ts';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { BarKeeper } from '#market/bars/persist.ts';
import type { BarColumns, ChartTimeframe } from '#market/bars/rules/bars.ts';
import { type LiveBars, createBarExtender } from '#market/bars/rules/extendBars.ts';
import { BarStore } from '#market/bars/store.ts';
import { type Bucketed, walkBars } from '#market/bars/walk.ts';
import { type Stock, emptyStock } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock } from '#support/testApp.ts';

const DATE = '2026-11-19';
const history = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
const log = createLog(() => undefined);

/** What BHP shows some minutes after 10:00. */
type Shown = [minute: number, figures: Pick<Stock, 'open' | 'high' | 'low' | 'last' | 'volume'>];

const shown = (open: number, high: number, low: number, last: number, volume: number) => ({
  ...emptyStock('BHP'),
  open,
  high,
  low,
  last,
  volume,
});

/** A wrong trade at 50 at 10:05, which the exchange cancels at 10:20. */
const CANCELLED: Shown[] = [
  [0, shown(5.1, 5.2, 5.1, 5.15, 1000)],
  [1, shown(5.1, 5.2, 5, 5, 1100)],
  [5, shown(5.1, 50, 5, 5.15, 1110)],
  [10, shown(5.1, 50, 5, 5.18, 1200)],
  [20, shown(5.1, 5.2, 5, 5.18, 1200)],
];

function aStore() {
  const clock = createFakeClock(fromSydney(DATE, 10, 0));
  const bars = new BarStore({ clock, history, minutes: true });
  const show = (minute: number, figures: Shown[1]): void => {
    clock.set(fromSydney(DATE, 10, minute));
    bars.applyQuote({ ...emptyStock('BHP'), ...figures }, null);
  };
  return { clock, bars, show };
}

/** The bars of a timeframe as [open, high, low, close, volume]. */
function barsOf(store: BarStore, tf: ChartTimeframe): number[][] {
  const all: Bucketed[] = [];
  const last = walkBars(store.ensure('BHP'), tf, null, (bar) => all.push(bar));
  if (last) all.push(last);
  return all.map(({ bar }) => [bar.open, bar.high, bar.low, bar.close, bar.volume]);
}

const rowsOf = ({ open, high, low, close, volume }: BarColumns): number[][] =>
  open.map((price, at) => [price, high[at] ?? 0, low[at] ?? 0, close[at] ?? 0, volume[at] ?? 0]);

describe('a high or low that its source corrects', () => {
  test('leaves no bar with the wrong price, and adds none of its own', () => {
    const { bars, show } = aStore();
    for (const step of CANCELLED.slice(0, -1)) show(...step);
    expect(barsOf(bars, '1').map(([, high]) => high)).toEqual([5.15, 5, 50, 5.18]);
    show(...(CANCELLED.at(-1) as Shown));
    expect(barsOf(bars, '1').map(([, high]) => high)).toEqual([5.15, 5, 5.2, 5.18]);
    expect(barsOf(bars, '60')).toEqual([[5.15, 5.2, 5, 5.18, 1200]]);
    expect(barsOf(bars, 'D')).toEqual([[5.1, 5.2, 5, 5.18, 1200]]);
    expect(barsOf(bars, 'W')).toEqual([[5.1, 5.2, 5, 5.18, 1200]]);
  });

  test('of a previous day stays in the bars of that day', () => {
    const { clock, bars, show } = aStore();
    show(0, shown(5, 50, 5, 5, 100));
    show(1, shown(5, 50, 5, 5, 200));
    clock.set(fromSydney('2026-11-20', 10, 0));
    bars.advanceDay();
    bars.applyQuote(shown(5, 5, 5, 5, 100), null);
    bars.applyQuote(shown(5, 5.1, 5, 5.05, 200), null);
    expect(barsOf(bars, '60').map(([, high]) => high)).toEqual([5, 5.1]);
  });

  const steps = fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 400 }),
      shares: fc.integer({ min: 0, max: 900 }),
      last: fc.integer({ min: 200, max: 300 }),
      wrong: fc.constantFrom(0, 0, 0, 40, -40),
      isCorrected: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  );

  test.each(['1', '5', '15', '60', 'D', 'W', 'M'] as const)(
    'gives an open chart the server’s bars, all within the day’s range: %s',
    (tf) => {
      fc.assert(
        fc.property(steps, (all) => {
          // 1 June 2026 is a Monday, so a week and a month begin.
          const clock = createFakeClock(fromSydney('2026-06-01', 10, 0));
          const bars = new BarStore({ clock, history, minutes: true });
          const extend = createBarExtender();
          let live: LiveBars = {
            tf,
            quote: null,
            columns: { time: [], open: [], high: [], low: [], close: [], volume: [] },
          };
          let stock = shown(2.5, 2.5, 2.5, 2.5, 0);
          let [high, low] = [2.5, 2.5];
          for (const { seconds, shares, last, wrong, isCorrected } of all) {
            const price = last / 100;
            [high, low] = [Math.max(high, price), Math.min(low, price)];
            const spike = (last + wrong) / 100;
            const from = isCorrected ? { high, low } : { high: stock.high ?? high, low: stock.low ?? low };
            stock = {
              ...stock,
              last: price,
              volume: (stock.volume ?? 0) + shares,
              high: Math.max(from.high, price, spike),
              low: Math.min(from.low, price, spike),
            };
            bars.applyQuote(stock, null);
            live = extend(live, stock, clock.now());
            clock.advance(seconds * 1000);
          }
          expect(rowsOf(live.columns)).toEqual(barsOf(bars, tf));
          for (const prices of rowsOf(live.columns)) {
            expect(Math.max(...prices.slice(0, 4))).toBeLessThanOrEqual(stock.high ?? 0);
            expect(Math.min(...prices.slice(0, 4))).toBeGreaterThanOrEqual(stock.low ?? 0);
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('saved minutes', () => {
  /** One run of the server on a database. */
  async function aRun(db: Db) {
    const { clock, bars, show } = aStore();
    const seen = standIn<SeenTimes>({ restore: () => {}, save: () => {} });
    const keeper = new BarKeeper({ db, source: 'hand', bars, seen, adjustments: NO_ADJUSTMENTS, log });
    clock.set(fromSydney(DATE, 15, 0));
    await keeper.restore();
    return { bars, keeper, show };
  }

  test('keep a correction made after they were saved across a restart', async () => {
    const db = openMemoryDb();
    const first = await aRun(db);
    for (const step of CANCELLED.slice(0, -1)) first.show(...step);
    first.keeper.stop();
    const second = await aRun(db);
    for (const step of CANCELLED.slice(-2)) second.show(...step);
    second.keeper.stop();
    const third = await aRun(db);
    expect(barsOf(third.bars, '1').map(([, high]) => high)).toEqual([5.15, 5, 5.2, 5.18]);
    expect(barsOf(third.bars, 'D').map(([, high]) => high)).toEqual([5.2]);
    db.$client.close();
  });

  test('of a killed server add the shares since the last save to the minute of the next quote', async () => {
    const db = openMemoryDb();
    const first = await aRun(db);
    first.show(0, shown(5, 5, 5, 5, 100));
    first.show(1, shown(5, 5.1, 5, 5.1, 300));
    first.keeper.save();
    first.show(2, shown(5, 5.2, 5, 5.2, 900));
    const second = await aRun(db);
    second.show(30, shown(5, 5.3, 5, 5.15, 1000));
    expect(barsOf(second.bars, '1')).toEqual([
      [5, 5, 5, 5, 100],
      [5.1, 5.1, 5.1, 5.1, 200],
      [5.15, 5.3, 5.15, 5.15, 700],
    ]);
    expect(barsOf(second.bars, 'D')).toEqual([[5, 5.3, 5, 5.15, 1000]]);
    db.$client.close();
  });
});

describe('bars that continue with the stream', () => {
  const at = (hour: number, minute: number, second = 0, date = '2026-11-19') =>
    fromSydney(date, hour, minute, second);
  const shown = (last: number, volume: number | null, more: Partial<Stock> = {}): Stock => ({
    ...emptyStock('BHP'),
    last,
    high: last,
    low: last,
    open: last,
    volume,
    ...more,
  });
  const FIRST: BarColumns = {
    time: [at(11, 0)],
    open: [2],
    high: [2.1],
    low: [1.9],
    close: [2.05],
    volume: [500],
  };
  const quoted = { date: '2026-11-19', last: 2.05, high: 2.1, low: 1.9, volume: 9000 };

  test('count shares from the quote in the answer', () => {
    const live = createBarExtender()(
      { tf: '1', columns: FIRST, quote: quoted },
      shown(2.2, 9100, { high: 2.3, low: 1.9 }),
      at(11, 0, 30),
    );
    expect(rowsOf(live.columns)).toEqual([[2, 2.3, 1.9, 2.2, 600]]);
    expect(FIRST.close).toEqual([2.05]);
  });

  test.each(['1', 'D'] as const)(
    'do not count shares twice while the stream is behind the answer: %s',
    (tf) => {
      const extend = createBarExtender();
      const quote = { date: '2026-11-19', last: 2.1, high: 2.1, low: 2.1, volume: 110 };
      const time = [tf === 'D' ? Date.UTC(2026, 10, 19) : at(11, 0)];
      const one = { open: [2.1], high: [2.1], low: [2.1], close: [2.1], volume: [110] };
      const answered: LiveBars = { tf, columns: { time, ...one }, quote };
      const behind = extend(answered, shown(2.1, 100), at(11, 0, 10));
      expect(extend(behind, shown(2.1, 100), at(11, 0, 11))).toBe(behind);
      expect(behind.columns.volume).toEqual([110]);
      expect(extend(behind, shown(2.1, 120), at(11, 0, 12)).columns.volume).toEqual([120]);
    },
  );

  test('add no shares to the day if a price moves without shares or the earlier volume was unknown', () => {
    const extend = createBarExtender();
    const quote = { date: '2026-11-19', last: 2.1, high: 2.1, low: 2.1, volume: 110 };
    const columns = { time: [Date.UTC(2026, 10, 19)], open: [2.1], high: [2.1], low: [2.1], close: [2.1] };
    const answered = (volume: number | null): LiveBars => ({
      tf: 'D',
      columns: { ...columns, volume: [110] },
      quote: { ...quote, volume },
    });
    for (const [known, volume] of [
      [110, 110],
      [null, 150],
    ] as const) {
      const moved = extend(answered(known), shown(2.12, volume), at(11, 0, 10));
      expect(rowsOf(moved.columns)).toEqual([[2.1, 2.12, 2.1, 2.12, 110]]);
    }
  });

  test('return the same object if nothing is new; before the open, on a holiday or without a price nothing is added', () => {
    const extend = createBarExtender();
    const live: LiveBars = { tf: '1', columns: FIRST, quote: quoted };
    const same = shown(2.05, 9000, { high: 2.1, low: 1.9 });
    expect(extend(live, same, at(11, 0, 30))).toBe(live);
    expect(extend(live, shown(2, 10_000), at(9, 30))).toBe(live);
    expect(extend(live, shown(2, 10_000), at(11, 0, 0, '2026-12-25'))).toBe(live);
    expect(extend(live, { ...same, last: null }, at(11, 1))).toBe(live);
  });

  test('begin a new bar on a new day, without figures of the last session', () => {
    const extend = createBarExtender();
    const day = Date.parse('2026-11-19T00:00:00Z');
    const columns: BarColumns = {
      time: [day],
      open: [2],
      high: [2.1],
      low: [1.9],
      close: [2.05],
      volume: [9000],
    };
    const live: LiveBars = { tf: 'D', columns, quote: quoted };
    const stale = shown(2.05, 9000, { high: 2.1, low: 1.9 });
    expect(extend(live, stale, at(10, 0, 5, '2026-11-20'))).toEqual({ ...live, isOutdated: true });
    const next = extend(live, shown(2.2, 100), at(10, 3, 0, '2026-11-20'));
    expect(next.columns.time).toEqual([day, day + 86_400_000]);
    expect(rowsOf(next.columns)[1]).toEqual([2.2, 2.2, 2.2, 2.2, 100]);
    const week = extend(
      { ...live, tf: 'W', columns: { ...columns, time: [day - 3 * 86_400_000] } },
      shown(2.2, 100),
      at(10, 3, 0, '2026-11-20'),
    );
    expect(rowsOf(week.columns)).toEqual([[2, 2.2, 1.9, 2.2, 9100]]);
  });
});
