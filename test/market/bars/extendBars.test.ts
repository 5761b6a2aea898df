import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { BarColumns, ChartTimeframe } from '../../../src/market/bars/rules/bars.ts';
import { createBarExtender, type LiveBars } from '../../../src/market/bars/rules/extendBars.ts';
import { emptyStock, type Stock } from '../../../src/market/rules/stock.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { BarStore } from '../../../src/market/bars/store.ts';
import { type Bucketed, walkBars } from '../../../src/market/bars/walk.ts';
import { createFakeClock } from '../../support/testApp.ts';

const NONE: BarColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] };
const startOf = (tf: ChartTimeframe): LiveBars => ({ tf, columns: NONE, quote: null });

const rowsOf = ({ open, high, low, close, volume }: BarColumns): number[][] =>
  open.map((price, at) => [price, high[at] ?? 0, low[at] ?? 0, close[at] ?? 0, volume[at] ?? 0]);

/** What a day of trades shows at each of its quotes. */
function shownStocks(steps: readonly { cents: number; shares: number; seconds: number }[]) {
  let stock: Stock = { ...emptyStock('BHP'), volume: 0 };
  return steps.map(({ cents, shares, seconds }) => {
    const last = cents / 100;
    stock = {
      ...stock,
      last,
      open: stock.open ?? last,
      high: Math.max(stock.high ?? last, last),
      low: Math.min(stock.low ?? last, last),
      volume: (stock.volume ?? 0) + shares,
    };
    return { stock, seconds };
  });
}

describe('bars that go on with the stream', () => {
  const steps = fc.array(
    fc.record({
      cents: fc.integer({ min: 200, max: 300 }),
      shares: fc.integer({ min: 1, max: 5000 }),
      seconds: fc.integer({ min: 1, max: 900 }),
    }),
    { minLength: 1, maxLength: 40 },
  );

  test.each(['1', '5', '15', '60', 'D', 'W', 'M'] as const)(
    'are the bars that the server makes of the same quotes: %s',
    (tf) => {
      fc.assert(
        fc.property(steps, (all) => {
          const clock = createFakeClock(fromSydney('2026-11-19', 9, 59, 50));
          const history = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
          const store = new BarStore({ clock, history, minutes: true });
          const extend = createBarExtender();
          let live = startOf(tf);
          for (const { stock, seconds } of shownStocks(all)) {
            store.takeQuote(stock, null);
            live = extend(live, stock, clock.now());
            clock.advance(seconds * 1000);
          }
          const bars: Bucketed[] = [];
          const last = walkBars(store.ensure('BHP'), tf, null, (bar) => bars.push(bar));
          if (last) bars.push(last);
          expect(rowsOf(live.columns)).toEqual(
            bars.map(({ bar }) => [bar.open, bar.high, bar.low, bar.close, bar.volume]),
          );
        }),
        { numRuns: 60 },
      );
    },
  );

  const at = (hour: number, minute: number, second = 0, date = '2026-11-19') =>
    fromSydney(date, hour, minute, second);
  const shown = (last: number, volume: number | null, more: Partial<Stock> = {}): Stock => ({
    ...emptyStock('BHP'),
    ...{ last, high: last, low: last, open: last, volume, ...more },
  });
  const FIRST: BarColumns = {
    ...{ time: [at(11, 0)], open: [2], high: [2.1], low: [1.9], close: [2.05], volume: [500] },
  };
  const quoted = { date: '2026-11-19', last: 2.05, high: 2.1, low: 1.9, volume: 9000 };

  test('shares are counted from the quote that the answer stands at', () => {
    const live = createBarExtender()(
      { tf: '1', columns: FIRST, quote: quoted },
      shown(2.2, 9100, { high: 2.3, low: 1.9 }),
      at(11, 0, 30),
    );
    expect(rowsOf(live.columns)).toEqual([[2, 2.3, 1.9, 2.2, 600]]);
    expect(FIRST.close).toEqual([2.05]);
  });

  test.each(['1', 'D'] as const)(
    'shares are not counted twice while the stream is behind the answer: %s',
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

  test('a price that moves without shares, or after a volume that nobody knew, adds none to the day', () => {
    const extend = createBarExtender();
    const quote = { date: '2026-11-19', last: 2.1, high: 2.1, low: 2.1, volume: 110 };
    const columns = { time: [Date.UTC(2026, 10, 19)], open: [2.1], high: [2.1], low: [2.1], close: [2.1] };
    const answered = (volume: number | null): LiveBars => ({
      ...{ tf: 'D', columns: { ...columns, volume: [110] }, quote: { ...quote, volume } },
    });
    for (const [known, volume] of [
      [110, 110],
      [null, 150],
    ] as const) {
      const moved = extend(answered(known), shown(2.12, volume), at(11, 0, 10));
      expect(rowsOf(moved.columns)).toEqual([[2.1, 2.12, 2.1, 2.12, 110]]);
    }
  });

  test('while no quote is known only the next one adds shares', () => {
    const extend = createBarExtender();
    const first = extend({ tf: '1', columns: FIRST, quote: null }, shown(2.2, 9100), at(11, 0, 30));
    expect(first.columns).toBe(FIRST);
    const second = extend(first, shown(2.21, 9150), at(11, 1, 2));
    expect(rowsOf(second.columns)).toEqual([
      [2, 2.1, 1.9, 2.05, 500],
      [2.21, 2.21, 2.21, 2.21, 50],
    ]);
    expect(second.columns.time).toEqual([at(11, 0), at(11, 1)]);
  });

  test('nothing new gives the same object; what is before the open, on a holiday or without a price adds nothing', () => {
    const extend = createBarExtender();
    const live: LiveBars = { tf: '1', columns: FIRST, quote: quoted };
    const same = shown(2.05, 9000, { high: 2.1, low: 1.9 });
    expect(extend(live, same, at(11, 0, 30))).toBe(live);
    expect(extend(live, shown(2, 10_000), at(9, 30))).toBe(live);
    expect(extend(live, shown(2, 10_000), at(11, 0, 0, '2026-12-25'))).toBe(live);
    expect(extend(live, { ...same, last: null }, at(11, 1))).toBe(live);
  });

  test('a new day begins a new bar, and not with the figures of the last session', () => {
    const extend = createBarExtender();
    const day = Date.parse('2026-11-19T00:00:00Z');
    const columns: BarColumns = {
      ...{ time: [day], open: [2], high: [2.1], low: [1.9], close: [2.05], volume: [9000] },
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

  test('after daylight saving began, minutes lie an hour earlier in UTC', () => {
    const extend = createBarExtender();
    const before = extend(startOf('15'), shown(2, 100), at(10, 0, 5, '2026-10-02'));
    const after = extend(before, shown(2.1, 50), at(10, 0, 5, '2026-10-05'));
    expect(after.columns.time.map((time) => new Date(time).toISOString())).toEqual([
      '2026-10-02T00:00:00.000Z',
      '2026-10-04T23:00:00.000Z',
    ]);
  });
});
