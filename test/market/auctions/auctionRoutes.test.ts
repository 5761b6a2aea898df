import { describe, expect, test } from 'bun:test';
import type { AuctionAnswer, DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { createFakeClock, createTestApp } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const DAY = '2026-11-18';
const at = (hour: number, minute: number, second = 0) => fromSydney(DAY, hour, minute, second);
const KEY = 'a key of a broker bridge';

const server = eachApp(() =>
  createTestApp({
    clock: createFakeClock(at(8, 0)),
    env: { BELLBIRD_INGEST_KEY: KEY },
    source: { name: 'bridge' },
  }),
);

/** Sends a line from a bridge at a moment, then runs a tick. */
async function send(time: number, ...lines: object[]): Promise<void> {
  server.clock.set(time);
  const { status } = await server.request('POST', '/api/ingest/market', {
    rawBody: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { authorization: KEY },
  });
  expect(status).toBe(200);
  server.tick.run();
}
const auction = async (symbol: string) =>
  (await server.request('GET', `/api/data/auction?symbol=${symbol}`)).json as AuctionAnswer;
const events = async (symbol: string) =>
  (await server.request('GET', `/api/data/day-events?symbol=${symbol}`)).json as DayEventsAnswer;

const bid = (price: number | null, volume: number | null, surplus: number | null) => ({
  code: 'BHP',
  match_price: price,
  match_vol: volume,
  buy_surplus: surplus,
});

describe('lines from a bridge', () => {
  test('become the auction’s changes, each once, until the stock has opened', async () => {
    await send(at(8, 0), { ...bid(50, 100, 20), close: 49.5 });
    await send(at(8, 1), bid(50, 100, 20));
    await send(at(8, 2), bid(50.1, 120, -5));
    await send(at(9, 59, 10), bid(null, null, null));
    await send(at(10, 0), { ...bid(null, null, null), status: 'Open', open: 50.1, last: 50.1, volume: 120 });
    await send(at(10, 5), bid(60, 1, 1));
    expect(await auction('bhp')).toEqual({
      symbol: 'BHP',
      date: DAY,
      columns: { time: [at(8, 0), at(8, 2)], price: [50, 50.1], volume: [100, 120], surplus: [20, -5] },
      thinned: false,
    });
  });

  test('show the day’s statuses, and what both auctions traded at', async () => {
    await send(at(8, 0), { ...bid(50, 100, 20), close: 49.5 });
    await send(at(10, 0), { code: 'BHP', status: 'Open', open: 50, last: 50, volume: 100 });
    await send(at(11, 0), { code: 'BHP', status: 'Halted' });
    await send(at(12, 0), { code: 'BHP', status: 'Open' });
    await send(at(15, 59), { code: 'BHP', last: 51, volume: 900 });
    await send(at(16, 1), { code: 'BHP', status: 'CSPA' });
    await send(at(16, 10, 40), { code: 'BHP', last: 51.5, volume: 1500 });
    await send(at(16, 12), { code: 'BHP', status: 'Post Close', last: 51.5, volume: 1700 });
    const day = await events('BHP');
    expect(day.knownSince).toBe(at(8, 0));
    expect(day.statuses.map(({ status }) => status)).toEqual([
      'Pre Open',
      'Open',
      'Halted',
      'Open',
      'CSPA',
      'Post Close',
    ]);
    expect(day.auctions).toEqual([
      { time: at(10, 0), kind: 'open', price: 50, volume: 100 },
      { time: at(16, 10, 40), kind: 'close', price: 51.5, volume: 600 },
    ]);
  });
});

test('the answer is empty for a stock without an auction, and an error for an unlisted one', async () => {
  await send(at(11, 0), { code: 'BHP', status: 'Open', last: 50 });
  expect((await auction('BHP')).columns.time).toEqual([]);
  for (const path of ['auction', 'day-events']) {
    for (const [symbol, status] of [
      ['XYZ', 404],
      ['%00', 404],
      ['', 400],
      ['A'.repeat(500), 400],
    ] as const)
      expect((await server.request('GET', `/api/data/${path}?symbol=${symbol}`)).status).toBe(status);
  }
});

test('the auction and the day survive a restart, for the same session and source only', async () => {
  const db = openMemoryDb();
  const run = (now: number, name = 'bridge') => {
    const app = createTestApp({ db, clock: createFakeClock(now), source: { name } });
    app.parts.auctions.start();
    return app;
  };
  const first = run(at(8, 0));
  first.source.apply([{ ...bid(50, 100, 20), close: 49 }]);
  first.tick.run();
  first.clock.advance(60_000);
  first.source.apply([bid(50.5, 110, -3)]);
  first.tick.run();
  first.parts.auctions.stop();
  const before = first.parts.auctions.service.auction('BHP')?.columns;
  expect(before?.time).toHaveLength(2);

  const second = run(at(8, 30));
  expect(second.parts.auctions.service.auction('BHP')?.columns).toEqual(before);
  expect(second.parts.auctions.service.events('BHP')?.statuses).toHaveLength(1);
  // Nothing new, nothing written.
  second.parts.auctions.stop();
  const rows = () => db.$client.query('SELECT id FROM segments').all().length;
  expect(rows()).toBe(1);

  expect(run(at(8, 30), 'other').parts.auctions.service.auction('BHP')).toBeUndefined();
  expect(run(fromSydney('2026-11-19', 8, 0)).parts.auctions.service.auction('BHP')).toBeUndefined();
  // A market that restarts its day has not reached the auction yet.
  expect(run(at(7, 30)).parts.auctions.service.auction('BHP')).toBeUndefined();
  expect(run(fromSydney('2026-11-19', 8, 0)).parts.auctions.prune()).toEqual({ removed: 1, hasMore: false });
  expect(rows()).toBe(0);
  db.$client.close();
});
