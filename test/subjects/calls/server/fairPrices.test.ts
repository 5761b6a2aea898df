import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { board, end, list, shown, submit, trade } from '#support/callsApp.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';
import { createCallsBench } from '#support/callsBench.ts';

const MINUTE = 60_000;
const ofFree = async (app: TestApp) =>
  (await board(app)).leaderboard.find((entry) => entry.submitter.display === 'free')?.metrics;

/** An application in which BHP and CBA trade at 40, on a feed delayed by this many minutes. */
function open(delayMinutes = 0): TestApp {
  const opened = createTestApp({ source: { delayMinutes: () => delayMinutes } });
  list(opened);
  return opened;
}

let app: TestApp;
beforeEach(() => {
  app = open();
});
afterEach(() => app.close());

describe('the first trade after the action counts', () => {
  test('an open loser counts at the last price, and not at all once it is rejected', async () => {
    const loser = await submit(app, 'free', { stopLossType: 'NONE', stopLoss: null });
    const winner = await submit(app, 'free', { symbol: 'CBA' });
    for (const code of ['BHP', 'CBA']) trade(app, code, 40);
    trade(app, 'BHP', 30);
    trade(app, 'CBA', 44);
    await end(app, winner, 'close');
    trade(app, 'CBA', 44);
    expect(await ofFree(app)).toMatchObject({ verified: 2, wins: 1, averageVerified: -7.5 });
    expect((await shown(app, loser)).verified).toBeNull();
    const body = { adminStatus: 'rejected' };
    await app.request('POST', `/api/admin/calls/${loser}/admin-status`, { as: 'admin', body });
    expect(await ofFree(app)).toMatchObject({ verified: 1, wins: 1 });
  });

  test('a reached stop ends the result, whatever trades later', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    trade(app, 'BHP', 37);
    const stopped = { percent: -7.5, entryPrice: 40, exitPrice: 37, bestPercent: 0, worstPercent: -7.5 };
    expect(await shown(app, publicId)).toMatchObject({
      status: 'open',
      verified: stopped,
      awaitingTrade: null,
      stopReached: { price: 37 },
    });
    trade(app, 'BHP', 48);
    expect(await shown(app, publicId)).toMatchObject({ verified: stopped, targetReached: null });
    expect(await ofFree(app)).toMatchObject({ open: 1, verified: 1, wins: 0, averageVerified: -7.5 });
  });

  test('a real-time price seen elsewhere gains nothing on a feed 20 minutes late', async () => {
    app.close();
    app = open(20);
    // The real price is 52 already, and this feed shows it in twenty minutes.
    const publicId = await submit(app);
    const quoteAt = (last: number, quoteTime: number): void => {
      app.source.apply([{ code: 'BHP', last, quoteTime, volume: 200 + last }]);
      app.tick.run();
    };
    const posted = app.clock.now();
    app.clock.advance(10 * MINUTE);
    quoteAt(46, posted - 10 * MINUTE);
    expect(await shown(app, publicId)).toMatchObject({ awaitingTrade: 'entry', entryTrade: null });
    app.clock.advance(10 * MINUTE + 1000);
    quoteAt(52, posted + 1000);
    expect(await shown(app, publicId)).toMatchObject({
      awaitingTrade: null,
      entryTrade: { at: new Date(posted + 1000).toISOString(), price: 52 },
      targetReached: { price: 52 },
    });
    await end(app, publicId, 'close');
    const closed = app.clock.now();
    app.clock.advance(20 * MINUTE);
    quoteAt(51, closed - 1000);
    expect(await shown(app, publicId)).toMatchObject({ awaitingTrade: 'exit', verified: null });
    app.clock.advance(2000);
    quoteAt(53, closed + 1000);
    expect(await shown(app, publicId)).toMatchObject({
      awaitingTrade: null,
      verified: { entryPrice: 52, exitPrice: 52, percent: 0, worstPercent: -23.0769 },
    });
  });

  test('a call posted during a halt that reopens 40 % higher gains nothing', async () => {
    app.source.apply([{ code: 'BHP', status: 'Halted' }]);
    app.tick.run();
    const publicId = await submit(app);
    app.clock.advance(60 * MINUTE);
    app.source.apply([{ code: 'BHP', last: 50, volume: 101 }]);
    app.tick.run();
    expect((await shown(app, publicId)).awaitingTrade).toBe('entry');
    app.source.apply([{ code: 'BHP', status: 'Open', last: 56, volume: 300 }]);
    app.tick.run();
    await end(app, publicId, 'close');
    trade(app, 'BHP', 57);
    expect((await shown(app, publicId)).verified).toMatchObject({
      entryPrice: 56,
      exitPrice: 56,
      percent: 0,
    });
  });
});

test('a call cancelled before the first trade has no result', async () => {
  const early = await submit(app);
  await end(app, early, 'cancel');
  expect((await shown(app, early)).awaitingTrade).toBe('exit');
  trade(app, 'BHP', 36);
  expect(await shown(app, early)).toMatchObject({ awaitingTrade: null, verified: null });
  expect(await ofFree(app)).toMatchObject({ cancelled: 1, verified: 0 });
});

test('the first of several trades in one batch and tick counts, although the tick shows the last', async () => {
  const publicId = await submit(app);
  for (const last of [40.5, 43, 41]) {
    app.clock.advance(10);
    app.source.apply([{ code: 'BHP', last, volume: 100 + last }]);
  }
  app.tick.run();
  expect((await shown(app, publicId)).entryTrade?.price).toBe(40.5);
});

test('calls of another source have their own table, and its prices do not affect them', async () => {
  const before = createTestApp({ source: { name: 'made-up' } });
  list(before);
  const publicId = await submit(before);
  trade(before, 'BHP', 40);
  trade(before, 'BHP', 41);
  before.parts.calls.stop();

  const after = createTestApp({ db: before.db, clock: before.clock, source: { name: 'real' } });
  list(after);
  trade(after, 'BHP', 46);
  const answer = await board(after);
  expect(answer).toMatchObject({
    source: 'real',
    leaderboard: [],
    otherLeaderboards: [{ source: 'made-up', leaderboard: [{ metrics: { open: 1, averageVerified: 2.5 } }] }],
    calls: [{ publicId, source: 'made-up', targetReached: null, awaitingTrade: null }],
  });
  const other = await submit(after, 'premium');
  expect((await shown(after, other)).source).toBe('real');
  expect((await board(after)).leaderboard).toHaveLength(1);
  after.close();
  before.close();
});

describe('a bad print', () => {
  const ingestKey = 'a key of the tests';

  test('that is reversed within one ingest batch has no effect', async () => {
    app.close();
    app = createTestApp({ env: { BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: ingestKey } });
    list(app);
    const publicId = await submit(app);
    app.clock.advance(1000);
    const rawBody = [40, 80, 40.5]
      .map((last, index) => JSON.stringify({ code: 'BHP', last, volume: 200 + index }))
      .join('\n');
    const headers = { authorization: ingestKey, 'content-type': 'application/x-ndjson' };
    const answer = await app.request('POST', '/api/ingest/market', { rawBody, headers });
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    app.tick.run();
    expect(await shown(app, publicId)).toMatchObject({ targetReached: null, entryTrade: { price: 40 } });
  });

  test('is still in doubt after a kill', () => {
    const bench = createCallsBench();
    const call = { symbol: 'BHP', callType: 'bought' as const, entryPrice: 1, targetPrice: 1.5 };
    bench.calls.submit(bench.user, { ...call, stopLossType: 'NONE', stopLoss: null });
    bench.trade('BHP', 1.1, 2);
    bench.restart();
    bench.trade('BHP', 1.1);
    bench.restart();
    bench.trade('BHP', 1.2);
    expect(bench.calls.mine(bench.user)[0]).toMatchObject({ targetReached: null, highestSinceFill: 1.2 });
  });
});
