import { expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { createSimulator } from '#sources/quotes/simulator/index.ts';
import { marketLevels } from '#src/tables/callSchema.ts';
import type { Call, LeaderboardEntry } from '#subjects/calls/rules/types.ts';
import { createFakeClock, createTestApp } from '#support/testApp.ts';

test('every demo call with a trade is measured against the simulated market, also over days', async () => {
  const app = createTestApp({
    env: { BELLBIRD_TEST: '1' },
    clock: createFakeClock(fromSydney('2026-11-18', 11, 0)),
    market: ({ wall, log }) => createSimulator({ seed: 1, start: 'auto', speed: 1, wall, log }),
  });
  app.tick.run();
  // The seed continues the running day.
  expect(app.db.select().from(marketLevels).all()).toHaveLength(1);
  await app.request('POST', '/api/test/seed', { body: { username: 'admin' } });
  const { json } = await app.request('GET', '/api/calls/leaderboard', {});
  const { calls, leaderboard } = json as { calls: Call[]; leaderboard: LeaderboardEntry[] };
  const traded = calls.filter(({ entryTrade }) => entryTrade !== null);
  expect(traded.length).toBeGreaterThan(100);
  expect(traded.filter(({ marketPercent }) => marketPercent === null)).toEqual([]);
  expect(traded.filter(({ status }) => status === 'open').length).toBeGreaterThan(0);
  for (const { metrics } of leaderboard) expect(metrics.marketKnown).toBe(metrics.verified);
  expect(leaderboard[0]?.metrics.rank).toBe(1);
  app.close();
});
