import { afterEach, describe, expect, test } from 'bun:test';
import { type ChartData, knownFigures } from '#market/bars/rules/chart.ts';
import type { ChartTimeframe } from '#market/bars/rules/bars.ts';
import { createBarExtender, type LiveBars } from '#market/bars/rules/extendBars.ts';
import { Demand } from '#market/indicators/demand.ts';
import { createValues } from '#market/indicators/values.ts';
import { ObservedMarket } from '#market/observed.ts';
import { emptyStock, type StockUpdate } from '#market/rules/stock.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createLog } from '#lib/log.ts';
import { atOnce } from '#support/handScheduler.ts';
import { createHandSource } from '#support/handSource.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { done } from '#support/pastBars.ts';
import { createFakeClock } from '#support/testApp.ts';
import { appOf } from '#support/appOf.ts';

let db = openMemoryDb();
afterEach(() => {
  db.$client.close();
  db = openMemoryDb();
});
const MONDAY = '2026-11-16';
const THURSDAY = '2026-11-05';
const TIMEFRAMES = ['1', '5', '15', '60', 'D', 'W', 'M'] as const;

/** A server started at a moment, with prices given by the test. */
async function startedAt(date: string, hour: number, minute: number) {
  const clock = createFakeClock(fromSydney(date, hour, minute, 20));
  const source = createHandSource(clock);
  const log = createLog(() => undefined);
  const market = new ObservedMarket({ clock }, log);
  const needs = { demand: new Demand(), families: () => ({}), schedule: atOnce };
  const values = createValues(appOf({ db, clock, log, market, source }), needs);
  await values.start();
  await source.start(market);
  return {
    stop: () => values.stop(),
    stock: () => market.get('BHP') ?? emptyStock('BHP'),
    now: () => clock.now(),
    send(date: string, hour: number, minute: number, update: Omit<StockUpdate, 'code'>): void {
      clock.advance(fromSydney(date, hour, minute, 20) - clock.now());
      source.apply([{ code: 'BHP', ...update }]);
    },
    read: (tf: ChartTimeframe) =>
      done(values.service.chart.read({ code: 'BHP', tf, before: null, limit: 500 })),
  };
}

/** Open, high, low, close and volume of each bar, null if unknown. */
const figuresOf = (chart: ChartData) =>
  chart.bars.time.map((_, at) => Object.values(knownFigures(chart, at)));

describe('a bridge without opens, first seen in the middle of a bar', () => {
  test('has only the close of that bar, and all of the next one', async () => {
    const server = await startedAt(THURSDAY, 11, 7);
    server.send(THURSDAY, 11, 7, { last: 2, volume: 100 });
    server.send(THURSDAY, 11, 8, { last: 2.1, volume: 150 });
    server.send(THURSDAY, 11, 12, { last: 2.3, volume: 160 });
    server.send(THURSDAY, 11, 13, { last: 2.2, volume: 170 });
    expect(figuresOf(server.read('5'))).toEqual([
      [null, null, null, 2.1, null],
      [2.3, 2.3, 2.2, 2.2, 20],
    ]);
    for (const tf of ['15', '60', 'W', 'M'] as const) {
      expect(figuresOf(server.read(tf))).toEqual([[null, null, null, 2.2, null]]);
    }
    expect(figuresOf(server.read('D'))).toEqual([[null, null, null, 2.2, 170]]);
    server.send(THURSDAY, 11, 14, { high: 2.4, low: 1.9 });
    expect(figuresOf(server.read('D'))).toEqual([[null, 2.4, 1.9, 2.2, 170]]);
    server.send(THURSDAY, 11, 14, { open: 2 });
    expect(figuresOf(server.read('D'))).toEqual([[2, 2.4, 1.9, 2.2, 170]]);
    // The day is complete now, but not the earlier days of its week.
    expect(figuresOf(server.read('W'))).toEqual([[null, null, null, 2.2, null]]);
    server.stop();
  });

  test('continues in an open chart as on the server', async () => {
    const server = await startedAt(THURSDAY, 11, 7);
    const extend = createBarExtender();
    server.send(THURSDAY, 11, 7, { last: 2, volume: 100 });
    server.send(THURSDAY, 11, 8, { last: 2.1, volume: 110 });
    const charts = TIMEFRAMES.map((tf) => {
      const { bars, partial, quote } = server.read(tf);
      return { tf, live: { tf, columns: bars, partial, quote } satisfies LiveBars as LiveBars };
    });
    const steps = [
      [11, 9, { last: 2.2, volume: 120 }],
      [11, 10, { last: 1.9, volume: 130 }],
      [11, 12, { last: 1.8, volume: 140 }],
      [11, 16, { last: 1.85, volume: 150, high: 2.5, low: 1.5 }],
      [12, 3, { last: 1.95, volume: 160 }],
    ] as const;
    for (const [hour, minute, update] of steps) {
      server.send(THURSDAY, hour, minute, update);
      for (const chart of charts) {
        chart.live = extend(chart.live, server.stock(), server.now());
        const { bars, partial } = server.read(chart.tf);
        expect([chart.tf, chart.live.columns, chart.live.partial]).toEqual([chart.tf, bars, partial]);
      }
    }
    server.stop();
  });
});

test('a restart within an hour keeps bars whole that began before or after the outage', async () => {
  const before = await startedAt(MONDAY, 9, 50);
  const open = { open: 2, high: 3, low: 1 };
  before.send(MONDAY, 9, 59, { last: 2, volume: 100, ...open });
  for (let minute = 1; minute < 63; minute += 1) {
    const [hour, rest] = [10 + Math.floor(minute / 60), minute % 60];
    before.send(MONDAY, hour, rest, { last: 2 + minute / 100, volume: 100 + minute });
  }
  before.stop();
  const after = await startedAt(MONDAY, 11, 11);
  after.send(MONDAY, 11, 11, { last: 2.7, volume: 200, ...open });
  after.send(MONDAY, 11, 16, { last: 2.8, volume: 210 });
  const five = after.read('5');
  expect(five.partial).toEqual([fromSydney(MONDAY, 11, 10)]);
  expect(figuresOf(five).slice(-3)).toEqual([
    [2.6, 2.62, 2.6, 2.62, 3],
    [null, null, null, 2.7, null],
    [2.8, 2.8, 2.8, 2.8, 10],
  ]);
  expect(after.read('60').partial).toEqual([]);
  expect(figuresOf(after.read('D'))).toEqual([[2, 3, 1, 2.8, 210]]);
  after.stop();
});
