import type { CallLife } from '../../../../src/subjects/calls/rules/life.ts';
import { expect, test } from 'bun:test';
import type { LeaderboardMetrics, OwnCall } from '../../../../src/subjects/calls/rules/types.ts';
import { board, list, mine, submit, trade } from '../../../support/callsApp.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const NONSENSE = 9_000_000;

const metrics = async (app: TestApp): Promise<LeaderboardMetrics | undefined> =>
  (await board(app)).leaderboard.find(({ submitter }) => submitter.display === 'free')?.metrics;

/** A call closed at a price, with a value that sends it to review. */
async function inReview(app: TestApp, last: number): Promise<string> {
  const publicId = await submit(app);
  trade(app, 'BHP', 40);
  trade(app, 'BHP', last);
  const body = { pocketedValue: NONSENSE };
  await app.request('POST', `/api/calls/${publicId}/close`, { as: 'free', body });
  return publicId;
}

const decide = (app: TestApp, publicId: string, adminStatus: string) =>
  app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body: { adminStatus } });

const own = async (app: TestApp): Promise<OwnCall | undefined> => (await mine(app))[0];

test('a gain in review counts for nothing until it is decided, and its owner is told why', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await inReview(app, 44);
  expect(await metrics(app)).toBeUndefined();
  trade(app, 'BHP', 44);
  expect(await metrics(app)).toBeUndefined();
  expect(await own(app)).toMatchObject({
    adminStatus: 'review',
    reviewReason: expect.stringMatching(/^At the best price of its path the pocketed value would need/),
    verified: { percent: 10 },
  });
  await decide(app, publicId, 'normal');
  expect(await metrics(app)).toMatchObject({ total: 1, closed: 1, verified: 1, wins: 1 });
  expect((await metrics(app))?.pocketedValue).toBe(NONSENSE);
  app.close();
});

test('a loss can not be hidden in review, nor by being rejected for what was claimed of it', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await inReview(app, 36);
  const lost = { total: 0, closed: 0, pocketedValue: 0, verified: 1, wins: 0, averageVerified: -10 };
  // Before the first trade after its end it counts at the last price.
  expect(await metrics(app)).toMatchObject(lost);
  trade(app, 'BHP', 36);
  expect(await metrics(app)).toMatchObject(lost);
  await decide(app, publicId, 'rejected');
  expect(await metrics(app)).toMatchObject(lost);
  expect((await board(app)).calls).toEqual([]);
  await decide(app, publicId, 'normal');
  expect(await metrics(app)).toMatchObject({ total: 1, closed: 1, verified: 1, averageVerified: -10 });
  app.close();
});

test('rejected while its exit is awaited, a loss still counts', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await inReview(app, 36);
  await decide(app, publicId, 'rejected');
  expect(await metrics(app)).toMatchObject({ verified: 1, averageVerified: -10 });
  trade(app, 'BHP', 36);
  expect(await metrics(app)).toMatchObject({ verified: 1, averageVerified: -10 });
  app.close();
});

test('a call’s own page says that it is in review; why, to its owner and administrators alone', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await inReview(app, 40);
  const review = async (as: 'guest' | 'basic' | 'free' | 'admin') =>
    ((await app.request('GET', `/api/calls/${publicId}`, { as })).json as CallLife).review;
  for (const as of ['guest', 'basic'] as const)
    expect(await review(as)).toEqual({ status: 'review', reason: null });
  for (const as of ['free', 'admin'] as const)
    expect(await review(as)).toEqual({ status: 'review', reason: expect.stringContaining('pocketed') });
  await decide(app, publicId, 'normal');
  expect(await review('guest')).toBeNull();
  app.close();
});
