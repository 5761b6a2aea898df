import { beforeEach, describe, expect, test } from 'bun:test';
import { callPaths } from '#src/tables/callSchema.ts';
import { PriceHistoryStore } from '#subjects/calls/server/priceHistories.ts';
import { createCallsBench, tradingTime } from '#support/callsBench.ts';
import { pastOf } from '#support/pastOf.ts';
import type { CallTimeline } from '#subjects/calls/rules/types.ts';
import type { SubmitterRecord } from '#subjects/calls/rules/trackRecord.ts';
import { board, BOUGHT, end, list, submit, trade } from '#support/callsApp.ts';
import { eachApp } from '#support/eachApp.ts';

const MINUTE = 60_000;
const trailing = { ...BOUGHT, entryPrice: 1.1, targetPrice: 1.5, stopLossType: 'TRAILING_PCT', stopLoss: 10 };

/** 630 minutes after midnight of 4 November 2026 in Sydney is 10:30 on the test clock. */
const DAY_KEY = Date.UTC(2026, 10, 4) / 86_400_000;
const minutesFrom = (count: number, price = 1.1) =>
  Array.from({ length: count }, (_, index) => ({
    key: DAY_KEY * 1440 + 630 + index,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: 100,
  }));

/** A stock with minutes from 10:30 on, and a settled call of its user. */
function settled() {
  const bench = createCallsBench();
  bench.past = pastOf({ minutes: minutesFrom(400) });
  const { publicId } = bench.calls.submit(bench.user, trailing);
  bench.trade('BHP', 1.1, 1.2, 1.15);
  bench.calls.end(bench.user, publicId, { kind: 'close', pocketedValue: 0 });
  bench.trade('BHP', 1.15);
  return { bench, publicId };
}

test('a price history stored by an earlier version is read, and so is a new one', () => {
  const { db } = createCallsBench();
  const time = [1_793_748_600_000, 1_793_748_660_000];
  const bars = { time, open: [1.1, 1.2], high: [1.2, 1.25], low: [1.1, 1.15], close: [1.2, 1.15] };
  const kept = {
    path: { tf: '1' as const, bars: { ...bars, volume: [100, 200] }, unknown: [], knownSince: null },
  };
  // Stored by the version before histories were packed like all other bytes: deflated JSON, level 6.
  const earlier =
    'PY3BDsIgEET/Zc6bBtBa5Tc8Gg61QSEiNG2xh4Z/b1ije5p5eZndMPaLg96wPKAhQbj308zAvy30TXaXQ3c8n0Q9+jWuhpBGG6vUSJKNMgTnn46BqqA1hJDWvyErGEKaeZkdRp8U8vebEKSEMIWQ4yumta4bAserj4OFjjmEUnY=';
  db.$client.run('PRAGMA foreign_keys = OFF');
  db.insert(callPaths)
    .values({ callId: 1, path: Buffer.from(earlier, 'base64') })
    .run();
  const store = new PriceHistoryStore(db);
  expect(store.historyOf(1)).toEqual(kept);
  store.saveHistory(2, kept);
  expect(store.historyOf(2)).toEqual(kept);
});

describe('the timeline of a call', () => {
  test('uses the bars of the source for an open call, with the steps of its trailing stop', () => {
    const bench = createCallsBench();
    bench.past = pastOf({ minutes: minutesFrom(1) });
    const { publicId } = bench.calls.submit(bench.user, trailing);
    bench.trade('BHP', 1.2, 1.15, 1.3);
    const timeline = bench.calls.timeline(null, publicId);
    expect(timeline.path?.tf).toBe('1');
    expect(timeline.path?.bars.time[0]).toBe(tradingTime);
    expect(timeline.stop).toMatchObject({
      from: 'tracker',
      price: expect.arrayContaining([0.99, 1.08, 1.17]),
    });
    expect(timeline.stop?.time.slice(0, 3)).toEqual([tradingTime, tradingTime + 1000, tradingTime + 3000]);
  });

  test('is stored once for a settled call, and shown after its minutes are gone', () => {
    const { bench, publicId } = settled();
    bench.now += 3 * MINUTE;
    bench.tick();
    const { path } = bench.calls.timeline(null, publicId);
    expect(path?.bars.time).toEqual([tradingTime]);
    bench.past = pastOf();
    bench.now += 400 * 86_400_000;
    expect(bench.calls.timeline(null, publicId).path).toEqual(path);
    bench.restart('another price source');
    expect(bench.calls.timeline(null, publicId).path).toEqual(path);
  });

  test('is stored by the next process if a kill followed the settlement', () => {
    const { bench, publicId } = settled();
    bench.restart();
    bench.now += 3 * MINUTE;
    bench.tick();
    bench.past = pastOf();
    expect(bench.calls.timeline(null, publicId).path?.bars.close).toEqual([1.1]);
  });

  test('has no prices from another price source', () => {
    const bench = createCallsBench();
    bench.past = pastOf({ minutes: minutesFrom(30) });
    const { publicId } = bench.calls.submit(bench.user, trailing);
    bench.restart('another price source');
    const timeline = bench.calls.timeline(null, publicId);
    expect(timeline.path).toBeNull();
    expect(timeline.whyNoPath).toContain('another price source');
  });
});

describe('the pages of a call and of a track record', () => {
  const app = eachApp();
  beforeEach(() => list(app));

  const timeline = async (publicId: string, as: 'guest' | 'free' | 'basic' | 'admin' = 'guest') =>
    app.request('GET', `/api/calls/${encodeURIComponent(publicId)}`, { as });
  const record = async (name: string, as: 'guest' | 'free' = 'guest') =>
    app.request('GET', `/api/calls/by/${encodeURIComponent(name)}`, { as });

  test('show visitors the same data as the board', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40.5);
    const { status, json } = await timeline(publicId);
    expect(status).toBe(200);
    const { call } = json as CallTimeline;
    const shown = (await board(app)).calls.find((one) => one.publicId === publicId);
    expect(shown).toBeDefined();
    expect(call).toEqual(shown as typeof call);
    expect(JSON.stringify(json)).not.toContain('adminStatus');
    expect(JSON.stringify(json)).not.toContain('userId');
  });

  test('of a rejected call are visible only to its owner and administrators', async () => {
    const publicId = await submit(app);
    const body = { adminStatus: 'rejected' };
    await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
    expect((await timeline(publicId)).status).toBe(404);
    expect((await timeline(publicId, 'basic')).status).toBe(404);
    expect((await timeline(publicId, 'free')).status).toBe(200);
    expect((await timeline(publicId, 'admin')).status).toBe(200);
  });

  test('mark hours without prices as unknown, for open and stored calls', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40.5);
    const silent = app.clock.now();
    app.clock.advance(20 * 60_000);
    const lasting = { from: silent, until: app.clock.now() };
    const running = ((await timeline(publicId)).json as CallTimeline).path;
    // The last price is not a current price.
    expect(running).toMatchObject({ unknown: [lasting], bars: { close: [40.5] } });
    trade(app, 'BHP', 41);
    const gap = { from: silent, until: app.clock.now() };
    await end(app, publicId, 'close');
    trade(app, 'BHP', 41.5);
    for (let count = 0; count < 4; count += 1) {
      app.clock.advance(59_000);
      trade(app, 'BHP', 41.5);
    }
    const { path } = (await timeline(publicId)).json as CallTimeline;
    expect(path?.unknown).toEqual([gap]);
    expect(path?.bars.close).toEqual([40.5, 41.5]);
  });

  test('agree with the leaderboard, and count calls without a result', async () => {
    const won = await submit(app);
    trade(app, 'BHP', 40);
    await end(app, won, 'close');
    trade(app, 'BHP', 42);
    const taken = await submit(app, 'free', {
      callType: 'buy',
      entryPrice: 30,
      targetPrice: 50,
      stopLoss: 20,
    });
    await end(app, taken, 'cancel');
    trade(app, 'BHP', 41);
    const { json } = await record('FREE');
    const { submitter, records } = json as SubmitterRecord;
    expect(submitter.display).toBe('free');
    expect(records).toHaveLength(1);
    const [row] = (await board(app)).leaderboard;
    expect(records[0]?.metrics).toEqual(row?.metrics ?? ({} as never));
    expect(records[0]).toMatchObject({ neverTraded: 1, rejected: 0, awaiting: 0, isCut: false });
    // From 40 at the posting to 40, the last price before the end, which is lower than the 42 after it.
    expect(records[0]?.ended).toMatchObject({
      count: 1,
      wins: 0,
      mean: 0,
      best: [{ publicId: won, percent: 0 }],
    });
  });

  test('show only the loss of a rejected call that still counts', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    const closing = { as: 'free' as const, body: { pocketedValue: 9000 } };
    trade(app, 'BHP', 39);
    await app.request('POST', `/api/calls/${publicId}/close`, closing);
    trade(app, 'BHP', 38);
    const body = { adminStatus: 'rejected' };
    await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
    const { json, text } = await record('free');
    expect((json as SubmitterRecord).records[0]?.ended.worst).toMatchObject([
      { publicId: null, symbol: null, percent: -5 },
    ]);
    expect(text).not.toContain(publicId);
  });

  test('give the same answer for an unknown user and one without calls', async () => {
    await app.user('premium');
    const nobody = await record('nobody at all');
    expect(nobody.status).toBe(404);
    for (const name of ['premium', 'a/b?c#d', '%', '😀', '‮', ' ', 'x'.repeat(150)]) {
      const { status, json } = await record(name);
      expect({ name, status, json }).toEqual({ name, status: 404, json: nobody.json });
    }
  });
});
