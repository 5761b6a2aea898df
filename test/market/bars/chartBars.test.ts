import type { Market } from '#market/types.ts';
import { standIn } from '#support/appOf.ts';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NO_ADJUSTMENTS } from '#market/splits.ts';
import { type BarsWanted, ChartBars } from '#market/bars/chartBars.ts';
import { finishDay } from '#market/bars/currentDay.ts';
import { createPastBars } from '#market/bars/pastBars.ts';
import type { BarColumns, DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import { BarStore } from '#market/bars/store.ts';
import { addDays, fromSydney, weekdayOf } from '#lib/sydneyTime.ts';
import { dateOf, dayOf } from '#market/rules/localTime.ts';
import { type Stock, emptyStock } from '#market/rules/stock.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { History } from '#market/sources/quotes.ts';
import { givenHistory } from '#support/givenHistory.ts';
import { done } from '#support/pastBars.ts';

/** A source that can return these bars at any time, read in the middle of a day. */
function deepFixture(given: {
  days?: DailyBar[];
  minutes?: MinuteBar[];
  now: number;
  stock?: Partial<Stock>;
}) {
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
  const market = standIn<Market>({
    get: () => (stock ? { ...emptyStock('BHP'), ...stock } : undefined),
    statedQuoteTime: () => null,
  });
  const chart = new ChartBars({
    bars,
    history,
    clock,
    market,
    hasMinutes: true,
    seen: null,
    savedDays: () => [],
    adjustments: NO_ADJUSTMENTS,
  });
  return (wanted: Partial<BarsWanted>) =>
    done(chart.read({ code: 'BHP', tf: '1', before: null, limit: 500, ...wanted }));
}

const rowsOf = ({ time, open, high, low, close, volume }: BarColumns) =>
  time.map((at, index) => ({
    time: at,
    open: open[index] ?? 0,
    high: high[index] ?? 0,
    low: low[index] ?? 0,
    close: close[index] ?? 0,
    volume: volume[index] ?? 0,
  }));

const whole = (group: readonly (DailyBar | MinuteBar)[]) => ({
  open: group[0]?.open ?? 0,
  high: Math.max(...group.map(({ high }) => high)),
  low: Math.min(...group.map(({ low }) => low)),
  close: group.at(-1)?.close ?? 0,
  volume: group.reduce((sum, { volume }) => sum + volume, 0),
});

const DAY = '2026-11-18';
const at = (hour: number, minute: number, date = DAY) => fromSydney(date, hour, minute);
const bar = (time: number, close: number, volume = 100): MinuteBar => ({
  time,
  open: close,
  high: close,
  low: close,
  close,
  volume,
});

describe('bars of a source that can return any day', () => {
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

  /** Includes the first days after clock changes. */
  const date = fc.constantFrom(DAY, '2026-04-07', '2026-10-05');

  test.each([5, 15, 60] as const)(
    '%i minutes: first, highest, lowest, last, and the sum, from 10:00',
    (length) => {
      fc.assert(
        fc.property(minutes, date, (all, date) => {
          const given = all.map(({ minute, prices, volume }): MinuteBar => {
            const [open = 0, close = 0] = prices;
            const [high, low] = [Math.max(...prices), Math.min(...prices)];
            return { time: at(10, minute, date), open, high, low, close, volume };
          });
          const read = deepFixture({ minutes: given, now: at(17, 0, date) });
          const groups = Map.groupBy(given, ({ time }) =>
            Math.floor((time - at(10, 0, date)) / (length * 60_000)),
          );
          const expected = [...groups].map(([slot, group]) => ({
            time: at(10, slot * length, date),
            ...whole(group),
          }));
          expect(rowsOf(read({ tf: `${length}` }).bars)).toEqual(expected);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('weeks and months of a year match its days', () => {
    const dates = Array.from({ length: 365 }, (_, day) => addDays('2025-01-01', day)).filter(isTradingDay);
    const days = dates.map((date, day) => {
      const [open, close] = [5 + ((day * 7) % 11) / 10, 5 + ((day * 5) % 13) / 10];
      return {
        date,
        open,
        high: Math.max(open, close) + 0.1,
        low: 4 + (day % 3) / 10,
        close,
        volume: day + 1,
      };
    });
    const read = deepFixture({ days, now: fromSydney('2026-01-05', 6, 0) });
    const monday = (date: string) => addDays(date, 1 - weekdayOf(date));
    for (const [tf, beginOf] of [
      ['D', (date: string) => date],
      ['W', monday],
      ['M', (date: string) => `${date.slice(0, 7)}-01`],
    ] as const) {
      const groups = Map.groupBy(days, ({ date }) => beginOf(date));
      const expected = [...groups].map(([date, group]) => ({
        time: Date.parse(`${date}T00:00:00Z`),
        ...whole(group),
      }));
      expect(rowsOf(read({ tf }).bars)).toEqual(expected);
    }
  });

  test('the running minute is the day minus the finished minutes', () => {
    const given = [bar(at(10, 0), 40, 100), bar(at(10, 1), 41, 200), bar(at(10, 2), 99, 9999)];
    const stock = { last: 42, open: 40, high: 43, low: 40, volume: 350 };
    const answer = deepFixture({ minutes: given, now: at(10, 2) + 30_000, stock })({});
    expect(rowsOf(answer.bars).at(-1)).toEqual({
      time: at(10, 2),
      open: 41,
      high: 43,
      low: 41,
      close: 42,
      volume: 50,
    });
    expect(answer.quote).toEqual({ date: DAY, last: 42, high: 43, low: 40, volume: 350 });
  });

  test('pages follow each other without missing or repeated bars', () => {
    const dates = ['2026-11-13', '2026-11-16', '2026-11-17'];
    const given = dates.flatMap((date) => [0, 7, 130, 300].map((minute) => bar(at(10, minute, date), 40)));
    const read = deepFixture({ minutes: given, now: at(9, 0) });
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

  test('a bar that began before the given moment is returned whole', () => {
    const given = [bar(at(10, 0), 40), bar(at(10, 40), 41), bar(at(11, 0), 42)];
    const answer = deepFixture({ minutes: given, now: at(12, 0) })({ tf: '60', before: at(10, 30) });
    expect(rowsOf(answer.bars).map(({ time, close }) => [time, close])).toEqual([[at(10, 0), 41]]);
  });
});

test('the past of a collected market contains finished minutes and days', () => {
  const history: History = { isDeep: false, eachDay: () => undefined, eachMinute: () => undefined };
  const [MONDAY, TUESDAY] = ['2026-11-16', '2026-11-17'];
  let now = at(10, 0, MONDAY);
  const clock = { now: () => now };
  const bars = new BarStore({ clock, history, minutes: true });
  const past = createPastBars({ bars, history, clock, hasMinutes: true, seen: null });
  const closes = () => done(past.minutes('BHP', 5)).map(({ close }) => close);
  const days = () => past.days('BHP', 10).map(({ key, close }) => [dateOf(key), close]);
  const trade = (last: number, volume: number): void => {
    bars.advanceDay();
    bars.applyQuote({ ...emptyStock('BHP'), last, high: last, low: last, open: 40, volume }, null);
  };
  trade(40, 100);
  now = at(10, 1, MONDAY);
  trade(41, 200);
  // The running minute and day are not finished.
  expect([closes(), days()]).toEqual([[40], []]);
  // The store starts a new day with its first quote; the old one is finished before that.
  now = at(9, 0, TUESDAY);
  expect([closes(), days()]).toEqual([[40, 41], [[MONDAY, 41]]]);
  const stockBars = bars.get('BHP');
  if (stockBars) finishDay(stockBars, dayOf(TUESDAY));
  expect(days()).toEqual([[MONDAY, 41]]);
});
