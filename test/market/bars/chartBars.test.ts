import { describe, expect, test } from 'bun:test';
import { NO_ADJUSTMENTS } from '../../../src/market/adjustments/index.ts';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { BarColumns } from '../../../src/market/bars/rules/bars.ts';
import type { DailyBar, MinuteBar } from '../../../src/market/rules/bar.ts';
import { emptyStock, type Stock } from '../../../src/market/rules/stock.ts';
import { fromSydney, weekdayOf } from '../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../src/market/rules/tradingDay.ts';
import { type BarsWanted, ChartBars } from '../../../src/market/bars/chartBars.ts';
import { BarStore } from '../../../src/market/bars/store.ts';
import { givenHistory } from '../../support/givenHistory.ts';
import { done } from '../../support/pastBars.ts';

/** A source that can give these bars at any time, looked at in the middle of a day. */
function deepStage(given: { days?: DailyBar[]; minutes?: MinuteBar[]; now: number; stock?: Partial<Stock> }) {
  const { days = [], minutes = [], now, stock } = given;
  const clock = { now: () => now };
  const dateOfBar = ({ time }: MinuteBar): string =>
    new Date(time + 11 * 3_600_000).toISOString().slice(0, 10);
  const history = givenHistory({
    isDeep: true,
    daily: (_, until, count) => days.filter(({ date }) => date <= until).slice(-count),
    minutes: (_, date) => minutes.filter((bar) => dateOfBar(bar) === date),
  });
  const bars = new BarStore({ clock, history, minutes: true });
  const market = {
    get: () => (stock ? { ...emptyStock('BHP'), ...stock } : undefined),
    statedQuoteTime: () => null,
  };
  const chart = new ChartBars({
    ...{ bars, history, clock, market, hasMinutes: true, seen: null, savedDays: () => [] },
    adjustments: NO_ADJUSTMENTS,
  });
  return (wanted: Partial<BarsWanted>) =>
    done(chart.read({ code: 'BHP', tf: '1', before: null, limit: 500, ...wanted }));
}

const rowsOf = ({ time, open, high, low, close, volume }: BarColumns) =>
  time.map((at, index) => ({
    ...{ time: at, open: open[index] ?? 0, high: high[index] ?? 0, low: low[index] ?? 0 },
    ...{ close: close[index] ?? 0, volume: volume[index] ?? 0 },
  }));

const DAY = '2026-11-18';
const at = (hour: number, minute: number, date = DAY) => fromSydney(date, hour, minute);
const bar = (time: number, close: number, volume = 100): MinuteBar => ({
  ...{ time, open: close, high: close, low: close, close, volume },
});

describe('bars of a source that can give any day', () => {
  const minutes = fc
    .uniqueArray(fc.integer({ min: 0, max: 369 }), { minLength: 1, maxLength: 80 })
    .chain((all) =>
      fc.tuple(
        ...all
          .sort((a, b) => a - b)
          .map((minute) =>
            fc.record({
              minute: fc.constant(minute),
              prices: fc.array(fc.integer({ min: 100, max: 400 }), { minLength: 4, maxLength: 4 }),
              volume: fc.integer({ min: 1, max: 90_000 }),
            }),
          ),
      ),
    );

  test.each([5, 15, 60] as const)(
    '%i minutes: first, highest, lowest, last, and the sum, from 10:00',
    (length) => {
      fc.assert(
        fc.property(minutes, (all) => {
          const given = all.map(({ minute, prices, volume }): MinuteBar => {
            const [open = 0, close = 0] = prices;
            const [high, low] = [Math.max(...prices), Math.min(...prices)];
            return { time: at(10, minute), ...{ open, high, low, close, volume } };
          });
          const read = deepStage({ minutes: given, now: at(17, 0) });
          const groups = Map.groupBy(given, ({ time }) => Math.floor((time - at(10, 0)) / (length * 60_000)));
          const expected = [...groups].map(([slot, group]) => ({
            time: at(10, slot * length),
            open: group[0]?.open ?? 0,
            high: Math.max(...group.map(({ high }) => high)),
            low: Math.min(...group.map(({ low }) => low)),
            close: group.at(-1)?.close ?? 0,
            volume: group.reduce((sum, { volume }) => sum + volume, 0),
          }));
          expect(rowsOf(read({ tf: `${length}` }).bars)).toEqual(expected);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('the running minute is what the finished ones leave of the day', () => {
    const given = [bar(at(10, 0), 40, 100), bar(at(10, 1), 41, 200), bar(at(10, 2), 99, 9999)];
    const stock = { last: 42, open: 40, high: 43, low: 40, volume: 350 };
    const answer = deepStage({ minutes: given, now: at(10, 2) + 30_000, stock })({});
    expect(rowsOf(answer.bars).at(-1)).toEqual({
      ...{ time: at(10, 2), open: 41, high: 43, low: 41, close: 42, volume: 50 },
    });
    expect(answer.quote).toEqual({ date: DAY, last: 42, high: 43, low: 40, volume: 350 });
  });

  test('none, and one', () => {
    const none = deepStage({ now: at(12, 0) })({});
    expect([none.bars.time, none.hasMore, none.quote]).toEqual([[], false, null]);
    expect(deepStage({ minutes: [bar(at(10, 30), 40)], now: at(12, 0) })({}).bars.close).toEqual([40]);
  });

  test('pages follow each other without a bar twice or missing', () => {
    const dates = ['2026-11-13', '2026-11-16', '2026-11-17'];
    const given = dates.flatMap((date) => [0, 7, 130, 300].map((minute) => bar(at(10, minute, date), 40)));
    const read = deepStage({ minutes: given, now: at(9, 0) });
    const pages: number[][] = [];
    let before: number | null = null;
    let hasMore = true;
    while (hasMore) {
      const page = read({ before, limit: 5 });
      pages.unshift(page.bars.time);
      before = page.bars.time[0] ?? null;
      ({ hasMore } = page);
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 5, 5]);
    expect(pages.flat()).toEqual(given.map(({ time }) => time));
  });

  test('a bar that began before the moment is whole', () => {
    const given = [bar(at(10, 0), 40), bar(at(10, 40), 41), bar(at(11, 0), 42)];
    const answer = deepStage({ minutes: given, now: at(12, 0) })({ tf: '60', before: at(10, 30) });
    expect(rowsOf(answer.bars).map(({ time, close }) => [time, close])).toEqual([[at(10, 0), 41]]);
  });

  test('days of an early close and of both ends of daylight saving lie where Sydney’s clock says', () => {
    for (const [date, opens] of [
      ['2026-04-02', '2026-04-01T23:00:00.000Z'],
      ['2026-04-07', '2026-04-07T00:00:00.000Z'],
      ['2026-10-02', '2026-10-02T00:00:00.000Z'],
      ['2026-10-05', '2026-10-04T23:00:00.000Z'],
    ] as const) {
      const history = givenHistory({
        isDeep: true,
        daily: () => [],
        minutes: (_, of) => (of === date ? [bar(at(10, 0, date), 1), bar(at(14, 9, date), 2)] : []),
      });
      const clock = { now: () => at(18, 0, date) };
      const bars = new BarStore({ clock, history, minutes: true });
      const market = { get: () => undefined, statedQuoteTime: () => null };
      const rest = { market, hasMinutes: true, seen: null, savedDays: () => [] };
      const chart = new ChartBars({ bars, history, clock, adjustments: NO_ADJUSTMENTS, ...rest });
      const read = done(chart.read({ code: 'BHP', tf: '60', before: null, limit: 9 }));
      expect(read.bars.time.map((time) => new Date(time).toISOString())[0]).toBe(opens);
      expect(read.bars.time[1]).toBe(at(14, 0, date));
    }
  });
});

const RECORDED = '../shared/data/eod/asxgym-eod-2025.csv.gz';
const isThere = existsSync(RECORDED);
const WHY = isThere ? '' : ': skipped, as ../shared/data is absent';

test.skipIf(!isThere)(`weeks and months of a recorded year are those of its days${WHY}`, () => {
  const lines = gunzipSync(readFileSync(RECORDED)).toString('utf8').split('\n');
  const days = lines
    .map((line) => line.split(','))
    .filter(([code]) => code === 'bhp')
    .map(([, date = '', open, close, high, low, volume]) => ({
      ...{ date, open: Number(open), high: Number(high), low: Number(low) },
      ...{ close: Number(close), volume: Number(volume) },
    }));
  expect(days.length).toBeGreaterThan(240);
  const read = deepStage({ days, now: fromSydney('2026-01-05', 6, 0) });
  expect(rowsOf(read({ tf: 'D' }).bars).map(({ close }) => close)).toEqual(days.map(({ close }) => close));
  const monthly = Map.groupBy(days, ({ date }) => date.slice(0, 7));
  expect(rowsOf(read({ tf: 'M' }).bars)).toEqual(
    [...monthly].map(([month, group]) => ({
      time: Date.parse(`${month}-01T00:00:00Z`),
      open: group[0]?.open ?? 0,
      high: Math.max(...group.map(({ high }) => high)),
      low: Math.min(...group.map(({ low }) => low)),
      close: group.at(-1)?.close ?? 0,
      volume: group.reduce((sum, { volume }) => sum + volume, 0),
    })),
  );
  const weeks = read({ tf: 'W' }).bars.time.map((time) => new Date(time).toISOString().slice(0, 10));
  expect(weeks.map(weekdayOf).every((weekday) => weekday === 1)).toBe(true);
  // 52 weeks, and the days before the first Monday.
  expect(weeks.length).toBe(53);
  expect(isTradingDay('2025-12-25')).toBe(false);
});
