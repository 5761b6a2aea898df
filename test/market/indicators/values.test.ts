import { afterEach, describe, expect, test } from 'bun:test';
import { type LogLine, createLog } from '#lib/log.ts';
import { Demand } from '#market/indicators/demand.ts';
import {
  type DemandItem,
  demandItemId,
  type HtfField,
  type HtfPeriod,
  indicatorKey,
} from '#market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { formulaOf } from '#market/indicators/formulas/index.ts';
import { createValues } from '#market/indicators/values.ts';
import { ObservedMarket } from '#market/observed.ts';
import type { DailyBar } from '#market/bars/rules/bars.ts';
import { addDays, fromSydney } from '#lib/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { History } from '#market/sources/quotes.ts';
import { demandOfOperand } from '#subjects/conditions/rules/operand.ts';
import { refReader } from '#subjects/conditions/rules/refReader.ts';
import { FAMILIES, familyOf, formula, runFormula } from '#support/bars.ts';
import { givenHistory } from '#support/givenHistory.ts';
import { atOnce } from '#support/handScheduler.ts';
import { createHandSource } from '#support/handSource.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';

const TODAY = '2026-11-19';

/** Days that rise by a cent, each with a range of ten cents around its close. */
const dailyUntil = (until: string, count: number): DailyBar[] => {
  const bars: DailyBar[] = [];
  for (let date = until; bars.length < count; date = addDays(date, -1)) {
    if (!isTradingDay(date)) continue;
    // The close depends only on the date, not on the number of days.
    const close = Number((5 + (Date.parse(date) / 86_400_000 - 20_400) / 100).toFixed(2));
    const bar = { date, open: close, high: close + 0.05, low: close - 0.05, close, volume: 1000 };
    bars.unshift({ ...bar, high: Number(bar.high.toFixed(2)), low: Number(bar.low.toFixed(2)) });
  }
  return bars;
};

const deep: History = givenHistory({
  isDeep: true,
  daily: (code, until, count) => (code.startsWith('X') ? [] : dailyUntil(until, count)),
  minutes: (_code, date) =>
    Array.from({ length: 60 }, (_, minute) => ({
      time: fromSydney(date, 10, minute),
      open: 5,
      high: 5.1,
      low: 4.9,
      volume: 10,
      close: 5 + (minute % 7) / 100,
    })),
});

const demandItem = (slug: string, tf: Timeframe, length?: string, delay = 0): DemandItem => {
  const family = familyOf(slug);
  const [param] = family.params;
  const params = param && length !== undefined ? { [param.name]: length } : {};
  return {
    kind: 'indicator',
    choice: { family: slug, params, tf, delay },
    key: indicatorKey(family, params),
  };
};
const candle = (period: HtfPeriod, field: HtfField): DemandItem => ({
  kind: 'htf',
  choice: { period, field },
});

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const open = async (
  options: { history?: History; db?: ReturnType<typeof openMemoryDb>; at?: number } = {},
) => {
  const clock = createFakeClock(options.at ?? fromSydney(TODAY, 11, 0));
  const db = options.db ?? openMemoryDb();
  const lines: LogLine[] = [];
  const demand = new Demand();
  const log = createLog((line) => lines.push(line));
  const source = createHandSource(clock, options.history && { history: options.history });
  const market = new ObservedMarket({ clock }, log);
  const values = createValues(appOf({ db, clock, log, market, source }), {
    demand,
    families: () => FAMILIES,
    later: (run) => run(),
    schedule: atOnce,
  });
  await values.start();
  opened.push({
    close: () => {
      values.stop();
      if (!options.db) db.$client.close();
    },
  });
  const choose = (items: DemandItem[]): void => demand.set('user:1', items);
  const show = (last: number, volume: number, more = {}): void => {
    market.apply([{ code: 'BHP', last, volume, ...more }]);
  };
  /** What the stock shows now, then a tick. @returns the change set sent */
  const tick = (last: number, volume: number, more = {}) => {
    show(last, volume, more);
    return market.flush();
  };
  /** The values of one timeframe. */
  const read = (tf: string) => market.get('BHP')?.indicators?.[tf] ?? {};
  return { clock, market, values, choose, show, tick, read };
};

test('the 52-week high is of the days before today, from the last day on, and unknown without a year', async () => {
  const high = { type: 'htf', period: '52W', field: 'high' } as const;
  for (const [days, known] of [
    [300, dailyUntil('2026-11-18', 1)[0]?.high],
    [200, null],
  ] as const) {
    const eachDay: History['eachDay'] = (code, until, _, visit) => deep.eachDay(code, until, days, visit);
    const { market, choose, tick } = await open({ history: { ...deep, eachDay } });
    market.apply([{ code: 'BHP', match_price: 9 }]);
    choose(demandOfOperand(high));
    market.flush();
    expect([...market.all().values()].map(refReader(high))).toEqual([known ?? null]);
    tick(9, 100, { open: 9, high: 9, low: 9 });
    expect([...market.all().values()].map(refReader(high))).toEqual([known ?? null]);
  }
});

describe('values are sent with the trade that changes them', () => {
  test('a chosen column arrives with the next change set, follows each trade, and is removed when unused', async () => {
    const { market, choose, tick } = await open({ history: deep });
    tick(6, 5000, { open: 6, high: 6.1, low: 5.9 });
    choose([demandItem('sma', 'D', '20')]);
    const first = market.flush();
    const closes = dailyUntil('2026-11-18', 19).map((bar) => bar.close);
    const average = (last: number): number =>
      Number(((closes.reduce((a, b) => a + b, 0) + last) / 20).toFixed(6));
    expect(first?.upsert).toEqual({ BHP: { indicators: { D: { sma_20: { now: average(6) } } } } });

    expect(tick(6.2, 5100, { high: 6.2 })?.upsert['BHP']).toMatchObject({
      last: 6.2,
      indicators: { D: { sma_20: { now: average(6.2) } } },
    });
    expect(tick(6.2, 5200)?.upsert['BHP']?.indicators).toBeUndefined();

    choose([]);
    expect(market.flush()?.upsert['BHP']).toEqual({ indicators: null });
    expect(tick(6.3, 5300)?.upsert['BHP']?.indicators).toBeUndefined();
    expect(market.get('BHP')?.indicators).toBeUndefined();
  });

  test('the day combines history and the running bar, for all formulas in use at once', async () => {
    const slugs = Object.keys(FAMILIES).filter((slug) => formulaOf(familyOf(slug), {}) !== null);
    const { choose, show, tick, read } = await open({ history: deep });
    const items = slugs.map((slug) => demandItem(slug, 'D'));
    choose(items);
    show(6, 700, { open: 5.8, high: 6.1, low: 5.7 });
    tick(5.9, 900, { open: 5.8, high: 6.15, low: 5.7 });
    const past = dailyUntil('2026-11-18', 260).map((bar, day) => ({ day, ...bar }));
    const today = { day: 999, open: 5.8, high: 6.15, low: 5.7, close: 5.9, volume: 900 };
    for (const [index, slug] of slugs.entries()) {
      const expected = runFormula(formula(slug), [...past, today]).at(-1) ?? null;
      const { key } = items[index] as DemandItem & { kind: 'indicator' };
      const value = read('D')[key]?.['now'] ?? null;
      const difference = Math.abs((value ?? Number.NaN) - (expected ?? Number.NaN));
      const isNear = value === expected || difference <= Math.max(Math.abs(expected ?? 0) * 1e-6, 1e-6);
      expect({ slug, value, expected, isNear }).toMatchObject({ isNear: true });
    }
  });

  test('one and two bars ago use finished bars, whatever the running one does', async () => {
    const { clock, choose, show, tick, read } = await open({ history: deep });
    choose([0, 1, 2].map((delay) => demandItem('ao', 'D', undefined, delay)));
    show(6, 700);
    tick(7, 800);
    const past = dailyUntil('2026-11-18', 260).map((bar, day) => ({ day, ...bar }));
    const line = runFormula(formula('ao'), past);
    const known = read('D')['ao'];
    expect(known?.['1']).toBeCloseTo(line.at(-1) ?? Number.NaN, 5);
    expect(known?.['2']).toBeCloseTo(line.at(-2) ?? Number.NaN, 5);
    const now = known?.['now'];
    clock.advance(60_000);
    tick(8, 900);
    const later = read('D')['ao'];
    expect(later?.['now']).not.toBe(now ?? null);
    expect([later?.['1'], later?.['2']]).toEqual([known?.['1'], known?.['2']]);
  });

  test('an intraday bar ends on time, and its value becomes the one a bar ago', async () => {
    const { clock, choose, show, tick, read } = await open({ history: deep });
    choose([demandItem('mom', '5', '10'), demandItem('mom', '5', '10', 1)]);
    show(5, 1000);
    clock.advance(1000);
    tick(5.2, 1100);
    const before = read('5')['mom_10'];
    clock.advance(5 * 60_000);
    tick(5.3, 1200);
    const after = read('5')['mom_10'];
    expect(before?.['now']).toBeNumber();
    expect(after?.['1']).toBe(before?.['now'] ?? null);
    expect(after?.['now']).not.toBe(before?.['now'] ?? null);
  });

  test('corrected bars are computed again', async () => {
    const after = async (highs: Record<number, number>) => {
      const { clock, market, choose, tick } = await open({ at: fromSydney(TODAY, 9, 50) });
      choose([demandItem('atr', '1'), demandItem('bb-upper', '5'), demandItem('high', 'D')]);
      for (let minute = 0; minute < 130; minute += 1) {
        clock.advance(60_000);
        const high = highs[minute];
        tick(5 + (minute % 7) / 100, (minute + 1) * 100, high === undefined ? {} : { high });
      }
      return market.get('BHP')?.indicators;
    };
    const clean = await after({ 10: 5.06 });
    expect(await after({ 10: 5.06, 27: 5.5 })).not.toEqual(clean);
    expect(await after({ 10: 5.06, 27: 5.5, 129: 5.06 })).toEqual(clean);
  });
});

test('candles of longer periods are the running calendar periods, today included', async () => {
  const { market, choose, tick } = await open({ history: deep });
  choose(
    (['1M', '2M', '3M', '6M', '12M'] as const).flatMap((period) =>
      (['open', 'high', 'low', 'close'] as const).map((field) => candle(period, field)),
    ),
  );
  tick(6.5, 700, { open: 6.4, high: 9, low: 6.3 });
  const days = dailyUntil('2026-11-18', 260);
  const since = (date: string) => {
    const own = days.filter((bar) => bar.date >= date);
    return { open: own[0]?.open, high: 9, low: Math.min(6.3, ...own.map((bar) => bar.low)), close: 6.5 };
  };
  expect(market.get('BHP')?.htf as unknown).toEqual({
    '1M': since('2026-11-01'),
    '2M': since('2026-11-01'),
    '3M': since('2026-10-01'),
    '6M': since('2026-07-01'),
    '12M': since('2026-01-01'),
  });
});

test('on a new market day yesterday becomes a finished bar, with or without a deep history', async () => {
  for (const history of [deep, undefined]) {
    const { clock, market, choose, show, tick, read } = await open(history ? { history } : {});
    choose([demandItem('close', 'D'), demandItem('change-abs', 'D')]);
    show(6, 700);
    clock.set(fromSydney(TODAY, 15, 59));
    tick(7, 900);
    clock.set(fromSydney('2026-11-20', 8, 0));
    market.apply([{ code: 'BHP', match_price: 7.1 }]);
    market.flush();
    // Nothing has traded yet, so the last bar is the last session’s.
    const early = read('D');
    clock.set(fromSydney('2026-11-20', 10, 1));
    tick(7.5, 20);
    const { close, 'change-abs': change } = read('D');
    const yesterday = history ? (dailyUntil(TODAY, 1)[0]?.close ?? 0) : 7;
    expect(early['close']?.['now']).toBe(yesterday);
    expect(close?.['now']).toBe(7.5);
    expect(change?.['now']).toBeCloseTo(7.5 - yesterday, 6);
  }
});

describe('a feed first seen in the middle of a week and a month', () => {
  const db = openMemoryDb();
  const items = [
    ...(['open', 'high', 'low', 'close', 'volume', 'change-from-open'] as const).map((slug) =>
      demandItem(slug, 'W'),
    ),
    ...(['open', 'high', 'low', 'close'] as const).map((field) => candle('1M', field)),
    demandItem('high', 'D'),
  ];
  const seenOn = async (date: string, last: number) => {
    const { market, values, choose, tick } = await open({ db, at: fromSydney(date, 11, 0) });
    choose(items);
    tick(last, 100, { open: last, high: last, low: last });
    values.stop();
    const { indicators, htf } = market.get('BHP') ?? {};
    const now = (tf: string) =>
      Object.fromEntries(Object.entries(indicators?.[tf] ?? {}).map(([key, value]) => [key, value['now']]));
    return { D: now('D'), W: now('W'), month: htf?.['1M'] ?? {} };
  };

  test('has only the close of that week and month, also after restarts, and all of the next ones', async () => {
    // A Thursday.
    expect(await seenOn('2026-11-05', 2)).toEqual({ D: { high: 2 }, W: { close: 2 }, month: { close: 2 } });
    expect(await seenOn('2026-11-06', 3)).toEqual({ D: { high: 3 }, W: { close: 3 }, month: { close: 3 } });
    expect(await seenOn('2026-11-09', 4)).toEqual({
      D: { high: 4 },
      W: { open: 4, high: 4, low: 4, close: 4, volume: 100, 'change-from-open': 0 },
      month: { close: 4 },
    });
    expect((await seenOn('2026-12-01', 5)).month).toEqual({ open: 5, high: 5, low: 5, close: 5 });
    db.$client.close();
  });
});

test('a feed first seen within a minute bar has no VWAP for it in that session', async () => {
  const fixture = await open({ at: fromSydney('2026-11-16', 11, 7) });
  fixture.choose([demandItem('vwap', '5'), demandItem('close', '5')]);
  const vwapAt = (date: string, hour: number, minute: number, last: number, volume: number) => {
    fixture.clock.advance(fromSydney(date, hour, minute) - fixture.clock.now());
    fixture.tick(last, volume);
    const values = fixture.read('5');
    return [values['close']?.['now'], values['vwap']?.['now']];
  };
  vwapAt('2026-11-16', 11, 7, 2, 100);
  expect(vwapAt('2026-11-16', 11, 8, 2.1, 110)).toEqual([2.1, undefined]);
  expect(vwapAt('2026-11-16', 11, 21, 2.2, 120)).toEqual([2.2, undefined]);
  vwapAt('2026-11-17', 10, 0, 3, 10);
  expect(vwapAt('2026-11-17', 10, 1, 3, 20)).toEqual([3, 3]);
});

test('a restart keeps finished days, the running day and its minutes if the feed cannot repeat them', async () => {
  const db = openMemoryDb();
  const items = [
    demandItem('change-abs', 'D'),
    demandItem('sma', '1', '3'),
    demandItem('volume', 'D'),
    demandItem('volume', 'W'),
  ];
  const monday = await open({ db, at: fromSydney('2026-11-16', 11, 0) });
  monday.choose(items);
  monday.show(5, 500);
  monday.values.stop();
  const first = await open({ db, at: fromSydney('2026-11-18', 11, 0) });
  first.choose(items);
  first.show(5, 1000);
  first.clock.set(fromSydney(TODAY, 10, 0));
  for (let minute = 0; minute < 5; minute += 1) {
    first.show(6 + minute / 10, 100 * (minute + 1));
    first.clock.advance(60_000);
  }
  first.market.flush();
  const before = first.market.get('BHP')?.indicators;
  expect(before).toEqual({
    '1': { sma_3: { now: 6.3 } },
    D: { 'change-abs': { now: 1.4 }, volume: { now: 500 } },
    W: { volume: { now: 2000 } },
  });
  first.values.stop();

  const second = await open({ db, at: first.clock.now() });
  second.choose(items);
  second.tick(6.4, 500);
  expect(second.market.get('BHP')?.indicators).toEqual(before);
  second.tick(6.7, 600);
  expect(second.read('1')['sma_3']).toEqual({
    now: Number(((6.3 + 6.4 + 6.7) / 3).toFixed(6)),
  });
  second.values.stop();

  // The next day begins with both days as history.
  const third = await open({ db, at: fromSydney('2026-11-20', 10, 0) });
  third.choose(items);
  third.tick(7, 50);
  expect(third.read('D')['change-abs']).toEqual({ now: 0.3 });
  expect(third.read('W')['volume']).toEqual({ now: 2150 });
  third.values.stop();
  db.$client.close();
});

test('a user who requests every value does not displace others’ values, in any order', () => {
  const named = (key: string): DemandItem => ({
    kind: 'indicator',
    key,
    choice: { family: key, params: {}, tf: 'D', delay: 0 },
  });
  const greedy = Array.from({ length: 500 }, (_, index) => named(`x${index}`));
  const asked = { greedy, modest: ['a', 'b', 'x499'].map(named) };
  for (const order of [['greedy', 'modest'] as const, ['modest', 'greedy'] as const]) {
    const demand = new Demand(10);
    for (const owner of order) demand.set(owner, asked[owner]);
    const served = demand.current().map((one) => demandItemId(one).split(':')[2]);
    expect(served).toHaveLength(10);
    expect(served).toEqual(expect.arrayContaining(['a', 'b', 'x499']));
    expect(demand.leftOut()).toBe(492);
  }
});
