import { afterEach, describe, expect, test } from 'bun:test';
import { openMemoryDb } from '../../support/memoryDb.ts';
import { indicatorKey } from '../../../src/market/indicators/rules/indicatorKey.ts';
import type { HtfField, HtfPeriod } from '../../../src/market/indicators/rules/htfCandle.ts';
import type { Timeframe } from '../../../src/market/indicators/rules/timeframe.ts';
import { addDays, fromSydney, sydneyDate } from '../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../src/market/rules/tradingDay.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import type { DemandItem } from '../../../src/market/indicators/rules/demandItem.ts';
import { Demand } from '../../../src/market/indicators/demand.ts';
import { createValues } from '../../../src/market/indicators/values.ts';
import { ObservedMarket } from '../../../src/market/observed.ts';
import type { DailyBar } from '../../../src/market/rules/bar.ts';
import type { History } from '../../../src/sources/quotes/history.ts';
import { FAMILIES, familyOf, formula, runFormula } from '../../support/bars.ts';
import { givenHistory } from '../../support/givenHistory.ts';
import { atOnce } from '../../support/handScheduler.ts';
import { createHandSource } from '../../support/handSource.ts';
import { createFakeClock } from '../../support/testApp.ts';

const TODAY = '2026-11-19';

/** Days that rise by a cent, each with a range of ten cents around its close. */
const dailyUntil = (until: string, count: number): DailyBar[] => {
  const bars: DailyBar[] = [];
  for (let date = until; bars.length < count; date = addDays(date, -1)) {
    if (!isTradingDay(date)) continue;
    // The close follows from the date alone, however many days are asked for.
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
      close: 5 + (minute % 7) / 100,
      volume: 10,
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
  const values = createValues(
    { db, clock, log, source },
    { market, demand, families: () => FAMILIES, later: (run) => run(), schedule: atOnce },
  );
  await values.start();
  opened.push({
    close: () => {
      values.stop();
      if (!options.db) db.$client.close();
    },
  });
  const show = (code: string, last: number, volume: number, more = {}): void => {
    market.apply([{ code, last, volume, ...more }]);
  };
  return { clock, db, demand, market, source, values, lines, show };
};

describe('values ride with the trade they come from', () => {
  test('a chosen column is there with the next change set, follows each trade, and goes when nobody wants it', async () => {
    const { demand, market, show } = await open({ history: deep });
    show('BHP', 6, 5000, { open: 6, high: 6.1, low: 5.9 });
    market.flush();
    demand.set('user:1', [demandItem('sma', 'D', '20')]);
    const first = market.flush();
    const closes = dailyUntil('2026-11-18', 19).map((bar) => bar.close);
    const average = (last: number): number =>
      Number(((closes.reduce((a, b) => a + b, 0) + last) / 20).toFixed(6));
    expect(first?.upsert).toEqual({ BHP: { indicators: { D: { sma_20: { now: average(6) } } } } });

    show('BHP', 6.2, 5100, { high: 6.2 });
    expect(market.flush()?.upsert['BHP']).toMatchObject({
      last: 6.2,
      indicators: { D: { sma_20: { now: average(6.2) } } },
    });
    show('BHP', 6.2, 5200);
    expect(market.flush()?.upsert['BHP']?.indicators).toBeUndefined();

    demand.set('user:1', []);
    expect(market.flush()?.upsert['BHP']).toEqual({ indicators: null });
    show('BHP', 6.3, 5300);
    expect(market.flush()?.upsert['BHP']?.indicators).toBeUndefined();
    expect(market.get('BHP')?.indicators).toBeUndefined();
  });

  test('the day is the history and the running bar together, for every formula in use', async () => {
    const slugs = [
      'rsi',
      'ema',
      'macd-hist',
      'bb-upper',
      'adx',
      'stoch-k',
      'cci',
      'atr',
      'p-sar',
      'money-flow',
    ];
    const { demand, market, show } = await open({ history: deep });
    demand.set(
      'user:1',
      slugs.map((slug) => demandItem(slug, 'D')),
    );
    show('BHP', 6, 700, { open: 5.8, high: 6.1, low: 5.7 });
    show('BHP', 5.9, 900, { open: 5.8, high: 6.15, low: 5.7 });
    market.flush();
    const past = dailyUntil('2026-11-18', 260).map((bar, day) => ({ day, ...bar }));
    const today = { day: 999, open: 5.8, high: 6.15, low: 5.7, close: 5.9, volume: 900 };
    for (const slug of slugs) {
      const expected = runFormula(formula(slug), [...past, today]).at(-1) ?? Number.NaN;
      const { key } = demandItem(slug, 'D') as DemandItem & { kind: 'indicator' };
      const value = market.get('BHP')?.indicators?.['D']?.[key]?.['now'] ?? Number.NaN;
      expect({ slug, ok: Math.abs(value - expected) <= Math.abs(expected) * 1e-6 }).toEqual({
        slug,
        ok: true,
      });
    }
  });

  test('one and two bars ago are the finished bars, whatever the running one does', async () => {
    const { demand, market, show, clock } = await open({ history: deep });
    demand.set(
      'user:1',
      [0, 1, 2].map((delay) => demandItem('ao', 'D', undefined, delay)),
    );
    show('BHP', 6, 700);
    show('BHP', 7, 800);
    market.flush();
    const past = dailyUntil('2026-11-18', 260).map((bar, day) => ({ day, ...bar }));
    const line = runFormula(formula('ao'), past);
    const told = market.get('BHP')?.indicators?.['D']?.['ao'];
    expect(told?.['1']).toBeCloseTo(line.at(-1) ?? Number.NaN, 5);
    expect(told?.['2']).toBeCloseTo(line.at(-2) ?? Number.NaN, 5);
    const now = told?.['now'];
    clock.advance(60_000);
    show('BHP', 8, 900);
    market.flush();
    const later = market.get('BHP')?.indicators?.['D']?.['ao'];
    expect(later?.['now']).not.toBe(now ?? null);
    expect([later?.['1'], later?.['2']]).toEqual([told?.['1'], told?.['2']]);
  });

  test('an intraday bar ends with its time: its value becomes the one a bar ago', async () => {
    const { demand, market, show, clock } = await open({ history: deep });
    demand.set('user:1', [demandItem('mom', '5', '10'), demandItem('mom', '5', '10', 1)]);
    show('BHP', 5, 1000);
    clock.advance(1000);
    show('BHP', 5.2, 1100);
    market.flush();
    const before = market.get('BHP')?.indicators?.['5']?.['mom_10'];
    clock.advance(5 * 60_000);
    show('BHP', 5.3, 1200);
    market.flush();
    const after = market.get('BHP')?.indicators?.['5']?.['mom_10'];
    expect(before?.['now']).toBeNumber();
    expect(after?.['1']).toBe(before?.['now'] ?? null);
    expect(after?.['now']).not.toBe(before?.['now'] ?? null);
  });

  test('what has no past says nothing until there are bars enough', async () => {
    const { demand, market, show, clock } = await open({ history: deep });
    demand.set('user:1', [
      demandItem('sma', 'D', '20'),
      demandItem('sma', 'D', '2'),
      demandItem('volume', '1'),
    ]);
    show('XNEW', 1, 10);
    market.flush();
    clock.advance(60_000);
    show('XNEW', 1.1, 25);
    market.flush();
    expect(market.get('XNEW')?.indicators).toEqual({ '1': { volume: { now: 15 } } });
  });

  test('values are no quotes: they make a stock no newer, and a fault in them costs no price', async () => {
    const { demand, market, show, clock } = await open({ history: deep });
    show('BHP', 6, 500, { quoteTime: clock.now() - 5000 });
    const quoted = market.quoteTime('BHP');
    demand.set('user:1', [demandItem('sma', 'D', '20')]);
    clock.advance(1000);
    market.flush();
    expect(market.quoteTime('BHP')).toBe(quoted);

    const broken: History = {
      ...deep,
      eachDay: () => {
        throw new Error('no past today');
      },
    };
    const other = await open({ history: broken });
    other.demand.set('user:1', [demandItem('sma', 'D', '20')]);
    other.show('BHP', 6, 500);
    expect(other.market.flush()?.upsert['BHP']).toMatchObject({ last: 6 });
    expect(other.lines.some((line) => line.level === 'error')).toBe(true);
  });

  test("a source's own indicators beside ours stay when ours go", async () => {
    const { demand, market, show } = await open({ history: deep });
    show('BHP', 6, 500, { indicators: { D: { own: { now: 1 } }, '60': { own: { now: 2 } } } });
    demand.set('user:1', [demandItem('sma', 'D', '20')]);
    market.flush();
    demand.set('user:1', []);
    market.flush();
    expect(market.get('BHP')?.indicators).toEqual({ D: { own: { now: 1 } }, '60': { own: { now: 2 } } });
  });

  test('a removed listing is forgotten, and starts anew when it comes back', async () => {
    const { demand, market, show, values } = await open({ history: deep });
    demand.set('user:1', [demandItem('sma', 'D', '20')]);
    show('BHP', 6, 500);
    market.flush();
    market.remove(['BHP']);
    expect(values.inspect().summary).toMatchObject({ stocks: 0 });
    show('BHP', 6, 500);
    market.flush();
    expect(market.get('BHP')?.indicators?.['D']?.['sma_20']?.['now']).toBeNumber();
  });
});

describe('candles of longer periods', () => {
  test('are the running calendar periods, today included', async () => {
    const { demand, market, show } = await open({ history: deep });
    demand.set(
      'user:1',
      (['1M', '2M', '3M', '6M', '12M'] as const).flatMap((period) =>
        (['open', 'high', 'low', 'close'] as const).map((field) => candle(period, field)),
      ),
    );
    show('BHP', 6.5, 700, { open: 6.4, high: 9, low: 6.3 });
    market.flush();
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

  test('where the past does not reach back to the beginning, nothing is told', async () => {
    const { demand, market, show } = await open({});
    demand.set('user:1', [candle('12M', 'high'), candle('1M', 'high')]);
    show('BHP', 6.5, 700);
    market.flush();
    expect(market.get('BHP')?.htf).toBeUndefined();
  });
});

describe('the market of a new day', () => {
  test('yesterday becomes a finished bar, with and without a past that can be asked for', async () => {
    for (const history of [deep, undefined]) {
      const { demand, market, show, clock } = await open(history ? { history } : {});
      demand.set('user:1', [demandItem('close', 'D'), demandItem('change-abs', 'D')]);
      show('BHP', 6, 700);
      clock.set(fromSydney(TODAY, 15, 59));
      show('BHP', 7, 900);
      market.flush();
      clock.set(fromSydney('2026-11-20', 8, 0));
      market.apply([{ code: 'BHP', match_price: 7.1 }]);
      market.flush();
      // Nothing traded yet: the last bar is still the last session's.
      const early = market.get('BHP')?.indicators?.['D'];
      clock.set(fromSydney('2026-11-20', 10, 1));
      show('BHP', 7.5, 20);
      market.flush();
      const { close, 'change-abs': change } = market.get('BHP')?.indicators?.['D'] ?? {};
      const yesterday = history ? (dailyUntil(TODAY, 1)[0]?.close ?? 0) : 7;
      expect(early?.['close']?.['now']).toBe(yesterday);
      expect(close?.['now']).toBe(7.5);
      expect(change?.['now']).toBeCloseTo(7.5 - yesterday, 6);
    }
  });
});

describe('a feed that is first seen in the middle of a week and a month', () => {
  const db = openMemoryDb();
  const items = [
    ...(['open', 'high', 'low', 'close', 'volume', 'change-from-open'] as const).map((slug) =>
      demandItem(slug, 'W'),
    ),
    ...(['open', 'high', 'low', 'close'] as const).map((field) => candle('1M', field)),
    demandItem('high', 'D'),
  ];
  const seenOn = async (date: string, last: number) => {
    const { demand, market, show, values } = await open({ db, at: fromSydney(date, 11, 0) });
    demand.set('user:1', items);
    show('BHP', last, 100, { open: last, high: last, low: last });
    market.flush();
    values.stop();
    const { indicators, htf } = market.get('BHP') ?? {};
    const now = (tf: string) =>
      Object.fromEntries(Object.entries(indicators?.[tf] ?? {}).map(([key, value]) => [key, value['now']]));
    return { D: now('D'), W: now('W'), month: htf?.['1M'] ?? {} };
  };

  test('tells only the close of that week and month, also after restarts, and all of the next ones', async () => {
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

describe('a feed without opens that is first seen in the middle of a day', () => {
  const day = (...slugs: ('open' | 'high' | 'low' | 'close' | 'volume' | 'change-from-open')[]) =>
    slugs.map((slug) => demandItem(slug, 'D'));
  const items = [
    ...day('open', 'high', 'low', 'close', 'volume', 'change-from-open'),
    demandItem('atr', 'D'),
    demandItem('sma', 'D', '2'),
    demandItem('open', 'W'),
    demandItem('high', 'W'),
    demandItem('close', 'W'),
  ];
  const opened = async (date: string, hour: number, minute: number, db = openMemoryDb()) => {
    const stage = await open({ db, at: fromSydney(date, hour, minute) });
    stage.demand.set('user:1', items);
    const now = (tf: string) => {
      stage.market.flush();
      const values = Object.entries(stage.market.get('BHP')?.indicators?.[tf] ?? {});
      return Object.fromEntries(values.map(([key, value]) => [key, value['now']]));
    };
    return { ...stage, db, now };
  };

  test('has no open, high and low of that day until the source states them, also after a restart', async () => {
    const first = await opened('2026-11-16', 11, 3);
    first.show('BHP', 2, 100);
    expect(first.now('D')).toEqual({ close: 2, volume: 100 });
    first.clock.advance(60_000);
    first.show('BHP', 2.1, 150);
    expect(first.now('D')).toEqual({ close: 2.1, volume: 150 });
    first.values.stop();

    const second = await opened('2026-11-16', 11, 6, first.db);
    second.show('BHP', 2.2, 200);
    expect(second.now('D')).toEqual({ close: 2.2, volume: 200 });
    second.show('BHP', 2.2, 200, { open: 1.9 });
    expect(second.now('D')).toMatchObject({ open: 1.9, close: 2.2, 'change-from-open': 15.78947 });
    expect(second.now('D')['high']).toBeUndefined();
    second.show('BHP', 2.2, 200, { high: 2.3, low: 1.8 });
    expect(second.now('D')).toMatchObject({ open: 1.9, high: 2.3, low: 1.8 });
    expect(second.now('W')).toEqual({ open: 1.9, high: 2.3, close: 2.2 });
    first.db.$client.close();
  });

  test('computes later days from the close of such a day, and from its range only if that is known', async () => {
    const monday = await opened('2026-11-16', 11, 3);
    monday.show('BHP', 2, 100);
    monday.values.stop();
    // From before the open on, so the first price is the open.
    const tuesday = await opened('2026-11-17', 9, 50, monday.db);
    for (let minute = 50; minute < 80; minute += 1) {
      tuesday.source.setHealth({ lastSuccess: tuesday.clock.now() });
      tuesday.show('ZZZ', 1, minute);
      tuesday.clock.advance(60_000);
    }
    tuesday.show('BHP', 3, 50);
    expect(tuesday.now('D')).toMatchObject({ open: 3, high: 3, low: 3, close: 3, sma_2: 2.5 });
    expect(tuesday.now('D')['atr']).toBeUndefined();
    expect(tuesday.now('W')).toEqual({ close: 3 });
    monday.db.$client.close();
  });
});

describe('minutes of a feed that is seen from their middle on', () => {
  const items = [
    ...(['open', 'high', 'low', 'close'] as const).map((slug) => demandItem(slug, '5')),
    demandItem('open', '15'),
    demandItem('close', '60'),
    demandItem('open', '60'),
    demandItem('open', '5', undefined, 1),
  ];
  const quotes = async (at: number, seconds: number, db = openMemoryDb()) => {
    const stage = await open({ db, at: at + seconds * 1000 });
    stage.demand.set('user:1', items);
    let volume = 100;
    const quote = (hour: number, minute: number, last: number) => {
      stage.clock.advance(fromSydney('2026-11-16', hour, minute) - stage.clock.now() + 20_000);
      stage.market.apply([{ code: 'BHP', last, volume: (volume += 10), open: 1, high: 9, low: 1 }]);
      stage.market.flush();
      const { indicators } = stage.market.get('BHP') ?? {};
      return Object.fromEntries(
        Object.entries(indicators ?? {}).flatMap(([tf, values]) =>
          Object.entries(values).flatMap(([key, by]) =>
            Object.entries(by).map(([delay, value]) => [`${tf} ${key} ${delay}`, value]),
          ),
        ),
      );
    };
    return { ...stage, db, quote };
  };

  test('have no VWAP in that session', async () => {
    const stage = await open({ at: fromSydney('2026-11-16', 11, 7) });
    stage.demand.set('user:1', [demandItem('vwap', '5'), demandItem('close', '5')]);
    const vwapAt = (date: string, hour: number, minute: number, last: number, volume: number) => {
      stage.clock.advance(fromSydney(date, hour, minute) - stage.clock.now());
      stage.show('BHP', last, volume);
      stage.market.flush();
      const values = stage.market.get('BHP')?.indicators?.['5'] ?? {};
      return [values['close']?.['now'], values['vwap']?.['now']];
    };
    vwapAt('2026-11-16', 11, 7, 2, 100);
    expect(vwapAt('2026-11-16', 11, 8, 2.1, 110)).toEqual([2.1, undefined]);
    expect(vwapAt('2026-11-16', 11, 21, 2.2, 120)).toEqual([2.2, undefined]);
    vwapAt('2026-11-17', 10, 0, 3, 10);
    expect(vwapAt('2026-11-17', 10, 1, 3, 20)).toEqual([3, 3]);
  });

  test('have only the close of that bar, and all of the next one', async () => {
    const { quote, db } = await quotes(fromSydney('2026-11-16', 11, 7), 0);
    quote(11, 7, 2);
    expect(quote(11, 8, 2.2)).toEqual({ '5 close now': 2.2, '60 close now': 2.2 });
    expect(quote(11, 10, 2.3)).toEqual({
      ...{ '5 open now': 2.3, '5 high now': 2.3, '5 low now': 2.3, '5 close now': 2.3 },
      '60 close now': 2.3,
    });
    expect(quote(11, 15, 2.4)).toMatchObject({ '5 open now': 2.4, '5 open 1': 2.3, '15 open now': 2.4 });
    expect(quote(12, 0, 2.5)).toMatchObject({ '60 open now': 2.5 });
    db.$client.close();
  });
});

describe('a restart', () => {
  test('keeps finished days, the running day and its minutes of a feed that can not give them again', async () => {
    const db = openMemoryDb();
    const items = [
      demandItem('change-abs', 'D'),
      demandItem('sma', '1', '3'),
      demandItem('volume', 'D'),
      demandItem('volume', 'W'),
    ];
    const monday = await open({ db, at: fromSydney('2026-11-16', 11, 0) });
    monday.demand.set('user:1', items);
    monday.show('BHP', 5, 500);
    monday.values.stop();
    const first = await open({ db, at: fromSydney('2026-11-18', 11, 0) });
    first.demand.set('user:1', items);
    first.show('BHP', 5, 1000);
    first.clock.set(fromSydney(TODAY, 10, 0));
    for (let minute = 0; minute < 5; minute += 1) {
      first.show('BHP', 6 + minute / 10, 100 * (minute + 1));
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
    second.demand.set('user:1', items);
    second.show('BHP', 6.4, 500);
    second.market.flush();
    expect(second.market.get('BHP')?.indicators).toEqual(before);
    second.show('BHP', 6.7, 600);
    second.market.flush();
    expect(second.market.get('BHP')?.indicators?.['1']?.['sma_3']).toEqual({
      now: Number(((6.3 + 6.4 + 6.7) / 3).toFixed(6)),
    });
    second.values.stop();

    // The next day begins with both days as history.
    const third = await open({ db, at: fromSydney('2026-11-20', 10, 0) });
    third.demand.set('user:1', items);
    third.show('BHP', 7, 50);
    third.market.flush();
    expect(third.market.get('BHP')?.indicators?.['D']?.['change-abs']).toEqual({ now: 0.3 });
    expect(third.market.get('BHP')?.indicators?.['W']?.['volume']).toEqual({ now: 2150 });
    third.values.stop();
    db.$client.close();
  });

  test('old days and minutes are forgotten, unreadable ones left out with a line in the log', async () => {
    const db = openMemoryDb();
    db.$client.run(
      "INSERT INTO minute_segments VALUES (1, 'hand', '2026-11-18', x'0102'), (2, 'hand', '2026-10-01', x'03')",
    );
    db.$client.run(
      `INSERT INTO daily_bars VALUES ('hand', 'BHP', '2024-01-02', 1, 1, 1, 1, 1),
        ('hand', 'BHP', '2026-11-18', 5, 5, 5, 5, 10)`,
    );
    const { show, values, lines, demand, market } = await open({ db });
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1);
    demand.set('user:1', [demandItem('change-abs', 'D')]);
    show('BHP', 6, 100);
    market.flush();
    expect(market.get('BHP')?.indicators?.['D']?.['change-abs']).toEqual({ now: 1 });
    values.prune();
    values.stop();
    const dates = db.$client.query<{ date: string }, []>('SELECT date FROM daily_bars ORDER BY date').all();
    expect(dates.map(({ date }) => date)).toEqual(['2026-11-18', TODAY]);
    db.$client.close();
  });
});

test('dates of these tests are what they are taken for', () => {
  expect(sydneyDate(fromSydney(TODAY, 11, 0))).toBe(TODAY);
  expect(isTradingDay('2026-11-18') && isTradingDay(TODAY) && isTradingDay('2026-11-20')).toBe(true);
});
