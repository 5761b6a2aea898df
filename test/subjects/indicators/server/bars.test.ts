import type { SeenTimes } from '#market/bars/coverage.ts';
import { standIn } from '#support/appOf.ts';
import { afterEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { emptyStock } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createMinuteKeys, dayOf, keyOf, minuteOfKey } from '#market/rules/localTime.ts';
import { type FrameKey } from '#market/bars/rules/buckets.ts';
import { type BarRow, RowArena } from '#market/bars/rows.ts';
import { Series } from '#market/bars/series.ts';
import { BarStore } from '#market/bars/store.ts';
import { type Bucketed, walkBars } from '#market/bars/walk.ts';
import type { History } from '#market/sources/quotes.ts';
import { createFakeClock, createTestApp, type TestApp } from '#support/testApp.ts';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createLog } from '#lib/log.ts';
import { BarKeeper } from '#market/bars/persist.ts';
import { benchHistory } from '#scripts/bench/support/barHistory.ts';
import { type DemandItem, indicatorKey } from '#market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { familyOf } from '#support/bars.ts';

const noPast: History = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };

const rows = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 40_000 }),
      // Whole and half price steps, and sometimes a price between steps.
      close: fc.oneof(
        fc.integer({ min: 1, max: 3000 }).map((steps) => steps / 2000),
        fc.integer({ min: 400, max: 120_000 }).map((cents) => cents / 200),
        fc.double({ min: 0.001, max: 900, noNaN: true }).map((price) => Number(price.toFixed(4))),
      ),
      up: fc.integer({ min: 0, max: 9000 }),
      down: fc.double({ min: 0.5, max: 1, noNaN: true }),
      volume: fc.integer({ min: 0, max: 2_000_000_000 }),
    }),
    { maxLength: 120 },
  )
  .map((all) => {
    let key = 29_000_000;
    return all.map(({ gap, close, up, down, volume }): BarRow => {
      key += gap;
      const low = Number((close * down).toFixed(3));
      return { key, open: close, high: close + up / 200, low, close, volume };
    });
  });

const near = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * 1e-6;

describe('a series', () => {
  test('returns any rows unchanged and in order', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const series = new Series(new RowArena());
        for (const row of all) expect(series.put(row)).toBe(true);
        expect(series.length()).toBe(all.length);
        const back: BarRow[] = [];
        series.each((row) => back.push({ ...row }));
        for (const [index, row] of all.entries()) {
          const got = back[index];
          if (!got) throw new Error(`Row ${index} is gone.`);
          expect(got.key).toBe(row.key);
          for (const member of ['open', 'high', 'low', 'close', 'volume'] as const) {
            expect({ member, is: got[member], ok: near(got[member], row[member]) }).toMatchObject({
              ok: true,
            });
          }
          expect(series.at(index)).toEqual(got);
          expect(series.indexFrom(row.key)).toBe(index);
        }
        expect(series.at(all.length)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('replaces the last key, refuses an older one, drops old ones and reuses their memory', () => {
    const arena = new RowArena();
    const series = new Series(arena);
    const row = (key: number, close: number): BarRow => ({
      key,
      open: 1,
      high: 2,
      low: 1,
      close,
      volume: 10,
    });
    for (let key = 0; key < 100; key += 1) series.put(row(key, 1));
    expect(series.put(row(99, 2))).toBe(true);
    expect(series.put(row(98, 2))).toBe(false);
    expect([series.length(), series.last()?.close]).toEqual([100, 2]);
    series.dropBefore(70);
    // Only whole blocks are dropped, so a few older ones may stay.
    expect(series.at(0)?.key).toBeLessThanOrEqual(70);
    expect(series.length()).toBeLessThanOrEqual(62);
    expect(series.last()?.key).toBe(99);
    const held = arena.bytes();
    series.clear();
    for (let key = 0; key < 4000; key += 1) series.put(row(key, 1));
    expect(arena.bytes()).toBe(held);
  });
});

test('minutes follow the wall clock in Sydney on both sides of a daylight-saving change', () => {
  const at = (date: string, hour: number, minute: number): number => keyOf(dayOf(date), hour * 60 + minute);
  const keys = createMinuteKeys();
  // Saturday to Monday around 4 October 2026, when clocks go forward, and 5 April, when they go back.
  for (const date of ['2026-10-02', '2026-10-05', '2026-04-02', '2026-04-07']) {
    expect(keys(fromSydney(date, 10, 0))).toBe(at(date, 10, 0));
    expect(keys(fromSydney(date, 16, 11))).toBe(at(date, 16, 11));
  }
  expect(keys(fromSydney('2026-10-04', 3, 30))).toBe(at('2026-10-04', 3, 30));
});

describe('bars built from quotes', () => {
  const fixtureAt = (hour: number, minute: number, date = '2026-11-19') => {
    const clock = createFakeClock(fromSydney(date, hour, minute));
    const store = new BarStore({ clock, history: noPast, minutes: true });
    const show = (last: number | null, volume: number | null, more = {}, quoteTime: number | null = null) =>
      store.applyQuote({ ...emptyStock('BHP'), last, volume, ...more }, quoteTime, quoteTime);
    const bars = (frame: FrameKey): Bucketed[] => {
      const all: Bucketed[] = [];
      const last = walkBars(store.ensure('BHP'), frame, null, (bar) => all.push(bar));
      return last ? [...all, last] : all;
    };
    return { clock, store, show, bars };
  };
  const plain = ({ bar: { open, high, low, close, volume } }: Bucketed) => [open, high, low, close, volume];

  test('include minutes from open to close, and longer bars made of them', () => {
    const { clock, show, bars } = fixtureAt(10, 0);
    show(1, 100);
    clock.advance(20_000);
    show(1.1, 150);
    show(0.9, 160);
    clock.advance(60_000);
    show(1.05, 200);
    clock.advance(4 * 60_000);
    show(1.2, 300);
    expect(bars('1').map(plain)).toEqual([
      [1, 1.1, 0.9, 0.9, 160],
      [1.05, 1.05, 1.05, 1.05, 40],
      [1.2, 1.2, 1.2, 1.2, 100],
    ]);
    expect(bars('5').map(plain)).toEqual([
      [1, 1.1, 0.9, 1.05, 200],
      [1.2, 1.2, 1.2, 1.2, 100],
    ]);
    expect(bars('240').map(plain)).toEqual([[1, 1.2, 0.9, 1.2, 300]]);
  });

  test('give a new high between two polls to the minute, and take the day from the feed', () => {
    const { clock, show, bars } = fixtureAt(11, 0);
    show(2, 1000, { open: 1.9, high: 2.1, low: 1.8 });
    clock.advance(10_000);
    show(2.05, 1500, { open: 1.9, high: 2.2, low: 1.8 });
    expect(bars('1').map(plain)).toEqual([[2.05, 2.2, 2.05, 2.05, 500]]);
    expect(bars('D').map(plain)).toEqual([[1.9, 2.2, 1.8, 2.05, 1500]]);
  });

  test('do not exist before the open, on a holiday, without a trade, or for a repeated session', () => {
    const early = fixtureAt(9, 30);
    early.show(2, 100);
    expect(early.bars('D')).toEqual([]);
    const holiday = fixtureAt(11, 0, '2026-12-25');
    holiday.show(2, 100);
    expect(holiday.bars('D')).toEqual([]);
    const untraded = fixtureAt(10, 30);
    untraded.show(null, null);
    untraded.show(2, 0);
    expect(untraded.bars('D')).toEqual([]);
    const { show, store, bars } = fixtureAt(10, 30);
    store
      .ensure('BHP')
      .days.put({ key: dayOf('2026-11-18'), open: 2, high: 3, low: 1, close: 2.5, volume: 700 });
    show(2.5, 700, { high: 3, low: 1 });
    expect(bars('D')).toHaveLength(1);
    show(2.5, 20, { high: 2.5, low: 2.5 });
    expect(bars('D')).toHaveLength(2);
  });

  test('include a day with the previous day’s figures if the quote was made on it', () => {
    const { clock, show, store, bars } = fixtureAt(9, 58);
    const row = { open: 0.003, high: 0.003, low: 0.003, close: 0.003, volume: 5000 };
    store.ensure('BHP').days.put({ key: dayOf('2026-11-18'), ...row });
    const shown = { open: 0.003, high: 0.003, low: 0.003 };
    const showAt = (hour: number, minute: number, date = '2026-11-19') =>
      show(0.003, 5000, shown, fromSydney(date, hour, minute));
    clock.set(fromSydney('2026-11-19', 11, 1));
    showAt(16, 10, '2026-11-18');
    showAt(7, 30);
    expect(bars('D')).toHaveLength(1);
    showAt(11, 0);
    expect(bars('D').map(({ bar }) => bar.volume)).toEqual([5000, 5000]);
    expect(showAt(11, 0)).toBeNull();
  });

  test('put a quote that is hours late into the minute in which it was made', () => {
    const { clock, show, bars } = fixtureAt(10, 0);
    const quoted = (hour: number, minute: number): number => fromSydney('2026-11-19', hour, minute);
    show(1, 100, {}, quoted(10, 0));
    clock.set(quoted(13, 30));
    show(1.1, 150, {}, quoted(10, 5));
    show(1.2, 250, {}, quoted(11, 45));
    show(1.3, 300, {}, quoted(13, 30));
    expect(bars('1').map(({ bucket, bar }) => [minuteOfKey(bucket), bar.volume])).toEqual([
      [600, 100],
      [605, 50],
      [705, 100],
      [810, 50],
    ]);
  });
});

const seen = standIn<SeenTimes>({ restore: () => {}, save: () => {} });

/** The bars of one source in one server process. */
function aRun(db: Db, source: string, date: string) {
  const clock = createFakeClock(fromSydney(date, 10, 0));
  const history = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
  const bars = new BarStore({ clock, history, minutes: true });
  const log = createLog(() => undefined);
  const keeper = new BarKeeper({ db, source, bars, seen, adjustments: NO_ADJUSTMENTS, log });
  const show = (last: number): void => {
    bars.applyQuote({ ...emptyStock('BHP'), last, volume: last * 100 }, null);
  };
  return { bars, keeper, show };
}

test('the bars of another source are neither read nor overwritten', async () => {
  const db = openMemoryDb();
  for (const [source, last] of [
    ['elsewhere', 5],
    ['own', 6],
  ] as const) {
    const run = aRun(db, source, '2026-11-18');
    run.show(last);
    run.keeper.stop();
  }
  for (const [source, close] of [
    ['elsewhere', 5],
    ['own', 6],
    ['new', undefined],
  ] as const) {
    const { bars, keeper } = aRun(db, source, '2026-11-19');
    await keeper.restore();
    const kept = bars.get('BHP');
    expect([kept?.days.last()?.close, kept?.minutes.last()?.close]).toEqual([close, close]);
  }
  db.$client.close();
});

describe('the minutes of a source with price history', () => {
  let app: TestApp;
  afterEach(() => {
    app.parts.values.stop();
    app.close();
  });

  const close = (tf: Timeframe, delay = 0): DemandItem => ({
    kind: 'indicator',
    choice: { family: 'close', params: {}, tf, delay },
    key: indicatorKey(familyOf('close'), {}),
  });

  /** The bars of one traded stock, from a source with price history. */
  async function start() {
    app = createTestApp({ source: { history: benchHistory(1) } });
    const { market, values, indicators } = app.parts;
    await values.start();
    const show = (last: number, volume: number, more = {}): void => {
      market.service.apply([{ code: 'BHP', last, volume, open: 6, high: 6.5, low: 5.5, ...more }]);
      market.service.flush();
    };
    show(6, 5000);
    return {
      show,
      clock: app.clock,
      use: (items: DemandItem[]) => indicators.service.demand.set('user:1', items),
      minutes: () => values.inspect().summary.minutes,
      read: () => market.service.get('BHP')?.indicators,
    };
  }

  test('are released once the timeframes are built, and reloaded for a column chosen later', async () => {
    const { show, clock, use, minutes, read } = await start();
    use([close('5'), close('5', 1)]);
    clock.advance(300_000);
    show(6.05, 5100);
    expect(minutes()).toBe(0);
    clock.advance(300_000);
    show(6.1, 5200);
    expect(read()).toEqual({ '5': { close: { now: 6.1, '1': 6.05 } } });

    use([close('5'), close('15')]);
    show(6.02, 5300);
    expect(minutes()).toBe(0);
    expect(read()).toEqual({ '5': { close: { now: 6.02 } }, '15': { close: { now: 6.02 } } });
  });

  test('include a quote older than the last minute, even after the release', async () => {
    const { show, clock, use, read } = await start();
    use([close('1'), close('1', 1)]);
    clock.advance(60_000);
    show(6.1, 5100);
    clock.advance(60_000);
    show(6.2, 5200);
    show(6.3, 5300, { quoteTime: clock.now() - 110_000 });
    expect(read()).toEqual({ '1': { close: { now: 6.3, '1': 6.1 } } });
  });
});
