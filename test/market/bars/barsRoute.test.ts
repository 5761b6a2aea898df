import { describe, expect, test } from 'bun:test';
import type { BarsAnswer } from '#market/bars/rules/barsAnswer.ts';
import type { DayLinesAnswer } from '#market/bars/rules/dayLine.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock, createTestApp, START } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();

/** Wednesday 18 November 2026, 11:00 in Sydney. */
const ELEVEN = START;
const trade = (code: string, last: number, volume: number) =>
  app.source.apply([{ code, close: 49.75, last, volume, open: 50, high: 51, low: 50 }]);
const bars = async (query: string) =>
  (await app.request('GET', `/api/data/bars?${query}`)).json as BarsAnswer;

function tradeForAWhile(): void {
  trade('BHP', 50.6, 1000);
  app.clock.advance(1000);
  trade('BHP', 50.7, 1100);
  app.clock.advance(60_000);
  trade('BHP', 50.8, 1300);
  app.tick.run();
}

describe('GET /api/data/bars', () => {
  test('returns minutes and the day with the running bar, and the quote they end at', async () => {
    tradeForAWhile();
    const minutes = await bars('symbol=bhp&tf=1');
    expect(minutes).toEqual({
      symbol: 'BHP',
      tf: '1',
      bars: {
        time: [ELEVEN, ELEVEN + 60_000],
        open: [50.7, 50.8],
        high: [50.7, 50.8],
        low: [50.7, 50.8],
        close: [50.7, 50.8],
        volume: [100, 200],
      },
      quote: { date: '2026-11-18', last: 50.8, high: 51, low: 50, volume: 1300 },
      note: null,
      knownSince: ELEVEN,
      hasMore: false,
      unknown: [],
      partial: [],
      adjustments: [],
    });
    const { bars: day } = await bars('symbol=BHP&tf=D');
    expect([day.time, day.open, day.close, day.volume]).toEqual([
      [Date.parse('2026-11-18T00:00:00Z')],
      [50],
      [50.8],
      [1300],
    ]);
  });

  test('returns a silence of the source as a gap, also while it lasts', async () => {
    tradeForAWhile();
    const silent = app.clock.now();
    app.clock.advance(20 * 60_000);
    expect((await bars('symbol=BHP')).unknown).toEqual([{ from: silent, until: app.clock.now() }]);
    trade('BHP', 51, 2000);
    app.tick.run();
    const back = app.clock.now();
    app.clock.advance(30_000);
    expect((await bars('symbol=BHP')).unknown).toEqual([{ from: silent, until: back }]);
    expect((await bars('symbol=BHP&tf=D')).unknown).toEqual([]);
  });

  test('returns the time that the server was off as a gap, across restarts', async () => {
    const db = openMemoryDb();
    const clock = createFakeClock();
    const first = createTestApp({ db, clock });
    await first.parts.values.start();
    first.source.apply([{ code: 'BHP', last: 50, volume: 100 }]);
    first.tick.run();
    clock.advance(60_000);
    first.source.apply([{ code: 'BHP', last: 51, volume: 200 }]);
    first.tick.run();
    const off = clock.now();
    first.parts.values.stop();
    first.close();
    clock.advance(24 * 3_600_000);
    const second = createTestApp({ db, clock });
    await second.parts.values.start();
    second.source.apply([{ code: 'BHP', last: 52, volume: 100 }]);
    second.tick.run();
    const { json } = await second.request('GET', '/api/data/bars?symbol=BHP&tf=1');
    expect(json).toMatchObject({
      knownSince: off - 60_000,
      unknown: [{ from: off, until: clock.now() }],
      bars: { time: [off], close: [51] },
    });
    second.source.apply([{ code: 'CBA', last: 100, volume: 100 }]);
    second.parts.market.service.remove(['BHP']);
    const gone = await second.request('GET', '/api/data/bars?symbol=BHP&tf=D');
    expect(gone.json).toMatchObject({
      bars: { close: [51] },
      note: 'BHP is not in the live list. Showing its last known bars.',
    });
    second.parts.values.stop();
    second.close();
    db.$client.close();
  });

  test('keeps its ETag until the stock trades, the minute ends or the source falls silent', async () => {
    tradeForAWhile();
    const ask = async () => (await app.open('GET', '/api/data/bars?symbol=BHP')).headers.get('etag');
    const first = await ask();
    app.clock.advance(1000);
    expect(await ask()).toBe(first);
    trade('BHP', 50.9, 1500);
    expect(await ask()).not.toBe(first);
    const silent = app.clock.now();
    app.clock.advance(20 * 60_000);
    expect((await bars('symbol=BHP')).unknown).toEqual([{ from: silent, until: app.clock.now() }]);
    expect((await bars('symbol=BHP&limit=1')).bars.close).toEqual([50.9]);
  });

  test('answers an invalid request with a sentence', async () => {
    tradeForAWhile();
    const refused = async (query: string) => {
      const { status, json } = await app.request('GET', `/api/data/bars?${query}`);
      return `${status} ${(json as { error: string }).error}`;
    };
    expect(await refused('symbol=XYZ')).toMatch(/^404 No stock has the code XYZ\./);
    expect(await refused('')).toBe('400 Send one stock code in `symbol`, such as symbol=BHP.');
    expect(await refused('symbol=BHP&tf=7')).toBe('400 The timeframe must be one of 1, 5, 15, 60, D, W, M.');
    for (const limit of ['0', '2001', '1.5', 'all']) {
      expect(await refused(`symbol=BHP&limit=${limit}`)).toMatch(/^400 The limit must be a whole number/);
    }
    for (const before of ['yesterday', '-5', '1e300']) {
      expect(await refused(`symbol=BHP&before=${before}`)).toMatch(/^400 Send the time in milliseconds/);
    }
    const empty = createTestApp();
    expect((await empty.request('GET', '/api/data/bars?symbol=BHP')).status).toBe(503);
    empty.close();
  });
});

test('GET /api/data/day-lines returns five-minute closes from 10:00, without unknown stocks', async () => {
  const lines = async (symbols: string) =>
    (await app.request('GET', `/api/data/day-lines?symbols=${symbols}`)).json as DayLinesAnswer;

  tradeForAWhile();
  app.clock.advance(10 * 60_000);
  trade('BHP', 51, 2000);
  const { date, from, lines: known } = await lines('bhp,xyz');
  expect([date, from]).toEqual(['2026-11-18', ELEVEN - 3_600_000]);
  const before = Array.from({ length: 12 }, () => null);
  expect(known).toEqual({ BHP: { previousClose: 49.75, closes: [...before, 50.8, null, 51] } });
});
