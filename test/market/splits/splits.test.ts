import { afterEach, describe, expect, test } from 'bun:test';
import { createLog } from '#lib/log.ts';
import { Demand } from '#market/indicators/demand.ts';
import { createValues } from '#market/indicators/values.ts';
import { ObservedMarket } from '#market/observed.ts';
import { type Seen, adjustedBar, adjustmentFactor, factorSince } from '#market/rules/splitAdjustment.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { type HandSourceTraits, createHandSource } from '#support/handSource.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

type Options = { db?: ReturnType<typeof openMemoryDb>; at: [date: string, hour: number, minute?: number] };

/** A run of the server: the market with its bars, controlled by the test. */
async function aRun({ db = openMemoryDb(), at, ...traits }: Options & HandSourceTraits) {
  const clock = createFakeClock(fromSydney(at[0], at[1], at[2] ?? 0));
  const log = createLog(() => undefined);
  const source = createHandSource(clock, traits);
  const market = new ObservedMarket({ clock, days: source.days }, log);
  const values = createValues(appOf({ db, clock, log, market, source }), {
    demand: new Demand(),
    families: () => ({}),
    later: (run) => run(),
    schedule: () => () => {},
  });
  await values.start();
  opened.push({ close: () => values.stop() });
  const { adjustments, days, minutesOn } = values.service;
  return {
    db,
    market,
    adjustments,
    /** Sets the wall clock; the stopwatch advances by a second, like a tick. */
    go(date: string, hour: number, minute = 0) {
      clock.set(fromSydney(date, hour, minute));
      market.flush();
    },
    /** Lets time pass without prices. */
    wait(ms: number) {
      clock.advance(ms);
      market.flush();
    },
    trade(code: string, last: number, more: object = {}) {
      market.apply([{ code, last, open: last, high: last, low: last, volume: 1000, ...more }]);
      market.flush();
    },
    state(code: string, close: number) {
      market.apply([{ code, close }]);
      market.flush();
    },
    factor: (code = 'XYZ') => adjustments.latest(code)?.factor ?? null,
    closes: (code = 'XYZ') => days(code, 10).map(({ close }) => close),
    bars: (code = 'XYZ') => days(code, 10).map(({ close, volume }) => [close, volume]),
    minutes: (date: string) => minutesOn('XYZ', date)?.map(({ close, volume }) => [close, volume]),
    stop() {
      opened.pop()?.close();
    },
  };
}

const MON = '2026-11-23';
const TUE = '2026-11-24';
const WED = '2026-11-25';

/** A run in which XYZ closed at 0.026 on Monday, observed to the end. */
async function afterMonday() {
  const run = await aRun({ at: [MON, 15] });
  run.trade('XYZ', 0.026, { close: 0.027 });
  run.go(MON, 16, 30);
  return run;
}

describe('an adjustment', () => {
  test('is recognised from the stated close before any trade, and scales prices and volumes once', async () => {
    const run = await afterMonday();
    run.go(TUE, 7, 5);
    run.state('XYZ', 0.39);
    expect(run.factor()).toBeCloseTo(15, 6);
    run.state('XYZ', 0.39);
    run.go(TUE, 10, 1);
    run.trade('XYZ', 0.4, { close: 0.39 });
    expect(run.bars()).toEqual([[0.39, 67]]);
    run.go(WED, 10, 1);
    run.trade('XYZ', 0.41, { close: 0.4 });
    expect(run.closes()).toEqual([0.39, 0.4]);
    expect(run.adjustments.of('XYZ')).toHaveLength(1);
  });

  test('survives a restart and a kill at any moment, and is not applied twice', async () => {
    const run = await afterMonday();
    run.go(TUE, 7, 5);
    run.state('XYZ', 0.39);
    // Killed: a new run on the same database. Then another after a regular stop.
    const second = await aRun({ db: run.db, at: [TUE, 9] });
    second.state('XYZ', 0.39);
    second.go(TUE, 10, 1);
    second.trade('XYZ', 0.4, { close: 0.39 });
    expect(second.bars()).toEqual([[0.39, 67]]);
    second.go(TUE, 17);
    second.stop();
    const third = await aRun({ db: run.db, at: [WED, 9] });
    third.state('XYZ', 0.4);
    third.go(WED, 10, 1);
    third.trade('XYZ', 0.41, { close: 0.4 });
    expect(third.bars()).toEqual([
      [0.39, 67],
      [0.4, 1000],
    ]);
    expect(third.adjustments.of('XYZ')).toHaveLength(1);
  });

  test('scales minutes once, across restarts', async () => {
    const run = await aRun({ at: [MON, 15] });
    run.trade('XYZ', 0.026, { close: 0.027 });
    run.trade('XYZ', 0.026, { volume: 4000 });
    run.go(MON, 16, 30);
    run.go(TUE, 7, 5);
    run.state('XYZ', 0.39);
    run.go(TUE, 10, 0);
    run.trade('XYZ', 0.4, { close: 0.39, volume: 50 });
    run.go(TUE, 11, 0);
    run.trade('XYZ', 0.4, { volume: 80 });
    run.stop();
    for (const hour of [12, 13]) {
      const later = await aRun({ db: run.db, at: [TUE, hour] });
      later.trade('XYZ', 0.4, { close: 0.39, volume: 100 * hour });
      later.go(TUE, hour, 5);
      later.trade('XYZ', 0.4, { volume: 100 * hour + 30 });
      expect(later.minutes(MON)).toEqual([[0.39, 200]]);
      later.stop();
    }
    const last = await aRun({ db: run.db, at: [TUE, 14] });
    expect(last.minutes(MON)).toEqual([[0.39, 200]]);
    expect(last.minutes(TUE)?.slice(0, 2)).toEqual([
      [0.4, 50],
      [0.4, 30],
    ]);
  });

  test('is undone if the source corrects the stated close', async () => {
    const run = await afterMonday();
    run.go(TUE, 7, 5);
    run.state('XYZ', 0.39);
    run.state('XYZ', 0.026);
    expect([run.factor(), run.closes()]).toEqual([null, [0.026]]);
    run.state('XYZ', 0.312);
    run.state('XYZ', 0.39);
    expect(run.factor()).toBeCloseTo(15, 6);
    expect(run.closes()).toEqual([0.39]);
  });

  test('is recognised after a halt over many days', async () => {
    const run = await afterMonday();
    for (const day of [TUE, WED, '2026-11-26', '2026-11-27']) {
      run.go(day, 10);
      run.trade('ABC', 1, { close: 1 });
      run.go(day, 16, 30);
    }
    run.go('2026-11-30', 10, 1);
    run.trade('XYZ', 0.4, { close: 0.39 });
    expect(run.factor()).toBeCloseTo(15, 6);
  });
});

describe('no adjustment is assumed', () => {
  test('after sessions that the server missed', async () => {
    const run = await aRun({ at: ['2026-11-16', 15] });
    for (const code of ['DOWN', 'UP', 'MORE']) run.trade(code, 1, { close: 1 });
    run.stop();
    const later = await aRun({ db: run.db, at: ['2026-11-20', 10, 30] });
    later.trade('DOWN', 0.81, { close: 0.8 });
    later.trade('UP', 1.26, { close: 1.25 });
    later.trade('MORE', 15, { close: 15 });
    expect(['DOWN', 'UP', 'MORE'].map(later.factor)).toEqual([null, null, null]);
  });

  test('if the source was silent at the session’s end and the stock could have moved that far', async () => {
    const run = await aRun({ at: [MON, 13] });
    run.trade('XYZ', 1, { close: 1 });
    run.trade('TEN', 1, { close: 1 });
    run.wait(20 * 60_000);
    run.go(TUE, 10, 1);
    run.trade('XYZ', 1.31, { close: 1.3 });
    run.trade('TEN', 10, { close: 10 });
    expect([run.factor('XYZ'), run.factor('TEN')]).toEqual([null, 10]);
  });

  test('from figures of the session before, which are sent until the first trade', async () => {
    const run = await aRun({ at: ['2026-11-20', 15] });
    run.trade('XYZ', 1, { close: 1 });
    run.go(MON, 15);
    run.trade('XYZ', 1.5, { close: 1 });
    run.go(TUE, 8);
    run.trade('XYZ', 1.5, { close: 1 });
    expect(run.factor()).toBeNull();
  });

  test('from a close that moves to the next session in the evening', async () => {
    const run = await afterMonday();
    run.go(TUE, 10, 1);
    run.trade('XYZ', 0.04, { close: 0.026 });
    run.go(TUE, 18);
    run.state('XYZ', 0.04);
    run.go(WED, 10, 1);
    run.trade('XYZ', 0.041, { close: 0.04 });
    expect(run.factor()).toBeNull();
  });
});

test('a stock under a temporary code is adjusted when that code appears, and continues its days when it returns', async () => {
  const run = await afterMonday();
  run.go(TUE, 7, 5);
  run.market.apply([{ code: 'XYZDA', close: 0.39 }]);
  expect([run.factor('XYZ'), run.factor('XYZDA')]).toEqual([15, null]);
  run.go(TUE, 10, 1);
  run.trade('XYZDA', 0.3, { close: 0.39 });
  // The source may continue to send the old code with its old values.
  run.state('XYZ', 0.026);
  run.go(TUE, 16, 30);
  run.go(WED, 10, 1);
  run.trade('XYZDA', 0.2, { close: 0.3 });
  run.go(WED, 16, 30);
  run.stop();
  const later = await aRun({ db: run.db, at: ['2026-11-26', 9] });
  later.state('XYZ', 0.2);
  later.go('2026-11-26', 10, 1);
  later.trade('XYZ', 0.21, { close: 0.2 });
  expect(later.factor('XYZ')).toBeCloseTo(15, 6);
  expect(later.adjustments.of('XYZ')).toHaveLength(1);
  expect(later.closes()).toEqual([0.39, 0.3, 0.2]);
});

describe('the factor', () => {
  const factor = (price: number, close: number, seen: Seen = 'whole', before: number | null = null) =>
    adjustmentFactor({ date: '2026-11-23', price, close: before }, close, seen);

  describe('from a previous close and the trade before it', () => {
    test('recognises every ratio', () => {
      for (const ratio of [1.1, 1.25, 1.5, 2, 10, 11.5, 12, 17, 60, 150]) {
        expect(factor(1, ratio)).toBeCloseTo(ratio, 9);
        expect(factor(ratio, 1)).toBeCloseTo(1 / ratio, 9);
      }
    });
    test('takes a difference of a few per cent or two price steps for another closing price', () => {
      for (const close of [0.96, 1.04, 1]) expect(factor(1, close)).toBeNull();
      for (const close of [0.001, 0.002, 0.003, 0.004]) expect(factor(0.002, close)).toBeNull();
      expect(factor(0.02, 0.022)).toBeNull();
      expect(factor(0.002, 0.02)).toBeCloseTo(10, 9);
    });
    test('is not assumed if the session before was not observed', () => {
      for (const close of [0.1, 0.5, 0.8, 1.25, 1.5, 10]) expect(factor(1, close, 'none')).toBeNull();
    });
    test('must exceed an afternoon’s move if the end of the session was not observed', () => {
      for (const close of [0.5, 0.8, 1.25, 1.5, 2]) expect(factor(1, close, 'part')).toBeNull();
      expect(factor(1, 12, 'part')).toBe(12);
    });
    test('is not computed if the close is still the earlier session’s', () => {
      expect(factor(2, 1, 'whole', 1)).toBeNull();
    });
  });

  test('keeps a bar’s value: prices times the factor, volume by its inverse', () => {
    const bar = { open: 0.026, high: 0.027, low: 0.025, close: 0.026, volume: 1500 };
    expect(adjustedBar(bar, 15)).toEqual({ open: 0.39, high: 0.405, low: 0.375, close: 0.39, volume: 100 });
  });

  test('multiplies several adjustments, each for the dates before it', () => {
    const list = [
      { date: '2026-06-01', factor: 0.5, at: 0 },
      { date: '2026-11-24', factor: 10, at: 0 },
    ];
    expect(['2026-05-29', '2026-06-01', '2026-11-24'].map((date) => factorSince(list, date))).toEqual([
      5, 10, 1,
    ]);
  });
});
