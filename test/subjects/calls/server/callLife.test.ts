import { describe, expect, test } from 'bun:test';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';
import { callPaths } from '../../../../src/platform/db/callPathSchema.ts';
import { CallPathStore } from '../../../../src/subjects/calls/server/paths/store.ts';
import { createCallsBench, tradingTime } from '../../../support/callsBench.ts';
import { pastOf } from '../../../support/pastOf.ts';

const MINUTE = 60_000;
const trailing: CallInput = {
  symbol: 'BHP',
  callType: 'bought',
  entryPrice: 1.1,
  targetPrice: 1.5,
  stopLossType: 'TRAILING_PCT',
  stopLoss: 10,
};

/** 630 minutes after midnight of 4 November 2026 in Sydney is the bench's 10:30. */
const DAY_KEY = Date.UTC(2026, 10, 4) / 86_400_000;
const minutesFrom = (count: number, price = 1.1) =>
  Array.from({ length: count }, (_, index) => ({
    key: DAY_KEY * 1440 + 630 + index,
    ...{ open: price, high: price, low: price, close: price, volume: 100 },
  }));

/** A bench whose stock has minutes from 10:30 on, and a closed call of its user, settled. */
function settled() {
  const bench = createCallsBench();
  bench.past = pastOf({ minutes: minutesFrom(400) });
  const { publicId } = bench.calls.submit(bench.user, trailing);
  bench.trade('BHP', 1.1, 1.2, 1.15);
  bench.calls.end(bench.user, publicId, { kind: 'close', pocketedValue: 0 });
  bench.trade('BHP', 1.15);
  return { bench, publicId };
}

test('a path that an earlier version kept is read, and a new one has the same bytes', () => {
  const { db } = createCallsBench();
  const time = [1_793_748_600_000, 1_793_748_660_000];
  const bars = { time, open: [1.1, 1.2], high: [1.2, 1.25], low: [1.1, 1.15], close: [1.2, 1.15] };
  const kept = {
    path: { tf: '1' as const, bars: { ...bars, volume: [100, 200] }, unknown: [], knownSince: null },
  };
  // Made by the version before paths were packed as all other bytes are: deflated JSON, level 6.
  const earlier =
    'PY3BDsIgEET/Zc6bBtBa5Tc8Gg61QSEiNG2xh4Z/b1ije5p5eZndMPaLg96wPKAhQbj308zAvy30TXaXQ3c8n0Q9+jWuhpBGG6vUSJKNMgTnn46BqqA1hJDWvyErGEKaeZkdRp8U8vebEKSEMIWQ4yumta4bAserj4OFjjmEUnY=';
  db.$client.run('PRAGMA foreign_keys = OFF');
  db.insert(callPaths)
    .values({ callId: 1, path: Buffer.from(earlier, 'base64') })
    .run();
  const store = new CallPathStore(db);
  expect(store.pathOf(1)).toEqual(kept);
  store.keepPath(2, kept);
  const rows = db.select().from(callPaths).all();
  expect(rows.map(({ path }) => path && Buffer.from(path).toString('base64'))).toEqual([earlier, earlier]);
});

describe('the life of a call', () => {
  test('a running one is drawn from the bars of its source, with the steps of its trailing stop', () => {
    const bench = createCallsBench();
    bench.past = pastOf({ minutes: minutesFrom(1) });
    const { publicId } = bench.calls.submit(bench.user, trailing);
    bench.trade('BHP', 1.2, 1.15, 1.3);
    const life = bench.calls.life(null, publicId);
    expect(life.path?.tf).toBe('1');
    expect(life.path?.bars.time[0]).toBe(tradingTime);
    expect(life.stop).toMatchObject({ from: 'tracker', price: expect.arrayContaining([0.99, 1.08, 1.17]) });
    expect(life.stop?.time.slice(0, 3)).toEqual([tradingTime, tradingTime + 1000, tradingTime + 3000]);
  });

  test('its stop’s steps are on disk with the high that moved it', () => {
    const bench = createCallsBench();
    const { publicId } = bench.calls.submit(bench.user, trailing);
    bench.trade('BHP', 1.2);
    bench.restart();
    bench.trade('BHP', 1.3);
    expect(bench.calls.life(null, publicId).stop?.price).toEqual([0.99, 1.08, 1.17]);
  });

  test('a settled one is kept once, and shown when its minutes are gone', () => {
    const { bench, publicId } = settled();
    bench.now += 3 * MINUTE;
    bench.tick();
    const { path } = bench.calls.life(null, publicId);
    expect(path?.bars.time).toEqual([tradingTime]);
    bench.past = pastOf();
    bench.now += 400 * 86_400_000;
    expect(bench.calls.life(null, publicId).path).toEqual(path);
    bench.restart('another price source');
    expect(bench.calls.life(null, publicId).path).toEqual(path);
  });

  test('what an earlier run settled just before it was killed is kept by the next one', () => {
    const { bench, publicId } = settled();
    bench.restart();
    bench.now += 3 * MINUTE;
    bench.tick();
    bench.past = pastOf();
    expect(bench.calls.life(null, publicId).path?.bars.close).toEqual([1.1]);
  });

  test('of another price source there are no prices of this one', () => {
    const bench = createCallsBench();
    bench.past = pastOf({ minutes: minutesFrom(30) });
    const { publicId } = bench.calls.submit(bench.user, trailing);
    bench.restart('another price source');
    const life = bench.calls.life(null, publicId);
    expect(life.path).toBeNull();
    expect(life.whyNoPath).toContain('another price source');
  });

  test('where nothing is known it says so', () => {
    const bench = createCallsBench();
    // A Saturday.
    bench.now += 17 * 86_400_000;
    const { publicId } = bench.calls.submit(bench.user, trailing);
    expect(bench.calls.life(null, publicId).whyNoPath).toContain('There was no trade');
    bench.now += 14 * 86_400_000;
    expect(bench.calls.life(null, publicId).whyNoPath).toContain('no longer kept');
  });
});

test('a record of 5,000 calls is counted once, and again after a change', () => {
  const bench = createCallsBench();
  const insert = bench.db.$client.prepare(
    `INSERT INTO calls (public_id, user_id, symbol, source, call_type, status, entry_price, target_price,
       stop_loss_type, submitted_at, closed_at, filled_at, verified_percent, price_at_close)
     VALUES (?, ?, 'BHP', 'bench', 'bought', 'closed', 1, 2, 'NONE', ?, ?, ?, ?, 1)`,
  );
  bench.db.$client.transaction(() => {
    for (let index = 0; index < 5000; index += 1) {
      const at = tradingTime - index * 3_600_000;
      insert.run(`many-${index}`, bench.user.id, at, at + 60_000, at, (index % 21) - 10);
    }
  })();
  bench.restart();
  const [record] = bench.calls.record(' ANN ').records;
  expect(record?.ended).toMatchObject({ count: 5000, median: 0 });
  expect(record?.ended.newest).toHaveLength(500);
  expect(record?.metrics.verified).toBe(5000);
  expect(JSON.stringify(record).length).toBeLessThan(100_000);
  const { publicId } = bench.calls.submit(bench.user, trailing);
  bench.trade('BHP', 1.1);
  bench.calls.end(bench.user, publicId, { kind: 'close', pocketedValue: 0 });
  bench.trade('BHP', 1.1);
  expect(bench.calls.record('Ann').records[0]?.ended.count).toBe(5001);
});
