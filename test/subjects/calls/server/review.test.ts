import { beforeEach, describe, expect, test } from 'bun:test';
import type { AdminCall, CallTimeline, LeaderboardMetrics, OwnCall } from '#subjects/calls/rules/types.ts';
import { board, list, mine, submit, trade, end, shown } from '#support/callsApp.ts';
import { type TestApp } from '#support/testApp.ts';
import { entryWords } from '#subjects/calls/rules/ledger/words.ts';
import { ledgerOf } from '#support/ledgerFixture.ts';
import { eq } from 'drizzle-orm';
import { calls, users } from '#platform/db/schema.ts';
import { eachApp } from '#support/eachApp.ts';

const app = eachApp();
beforeEach(() => list(app));

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

const decide = (app: TestApp, publicId: string, adminStatus: string | undefined) =>
  app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body: { adminStatus } });

const own = async (app: TestApp): Promise<OwnCall | undefined> => (await mine(app))[0];

test('a gain in review does not count until it is decided, and its owner sees the reason', async () => {
  const publicId = await inReview(app, 44);
  expect(await metrics(app)).toBeUndefined();
  trade(app, 'BHP', 44);
  expect(await metrics(app)).toBeUndefined();
  expect(await own(app)).toMatchObject({
    adminStatus: 'review',
    reviewReason: expect.stringMatching(/^At the best price, the pocketed value would need/),
    verified: { percent: 10 },
  });
  await decide(app, publicId, 'normal');
  expect(await metrics(app)).toMatchObject({ total: 1, closed: 1, verified: 1, wins: 1 });
  expect((await metrics(app))?.pocketedValue).toBe(NONSENSE);
});

test('administrators cannot decide about their own calls, unless nobody else can', async () => {
  const publicId = await submit(app, 'admin');
  await app.addUser('colleague', { isAdmin: true });
  expect(await decide(app, publicId, 'rejected')).toMatchObject({ status: 403 });
  const body = { reason: 'A wrong print', marks: { best: 99 } };
  const corrected = await app.request('POST', `/api/admin/calls/${publicId}/corrections`, {
    as: 'admin',
    body,
  });
  expect(corrected.status).toBe(403);
  app.db.update(users).set({ isAdmin: false }).where(eq(users.username, 'colleague')).run();
  expect((await decide(app, publicId, 'rejected')).status).toBe(200);
});

test('a loss always counts, in review and after the claim is rejected', async () => {
  const publicId = await inReview(app, 36);
  const lost = { total: 0, closed: 0, pocketedValue: 0, verified: 1, wins: 0, averageVerified: -10 };
  // Until the first trade after its end it counts at the last price.
  expect(await metrics(app)).toMatchObject(lost);
  trade(app, 'BHP', 36);
  expect(await metrics(app)).toMatchObject(lost);
  await decide(app, publicId, 'rejected');
  expect(await metrics(app)).toMatchObject(lost);
  expect((await board(app)).calls).toEqual([]);
  await decide(app, publicId, 'normal');
  expect(await metrics(app)).toMatchObject({ total: 1, closed: 1, verified: 1, averageVerified: -10 });
});

describe('the visibility of a call in review', () => {
  /** The same after the trade that settles it. */
  async function claimed(last: number): Promise<string> {
    const publicId = await inReview(app, last);
    trade(app, 'BHP', last);
    return publicId;
  }

  const timeline = async (publicId: string, as: 'guest' | 'basic' | 'free' | 'admin') =>
    (await app.request('GET', `/api/calls/${publicId}`, { as })).json as CallTimeline;

  const HIDDEN = { pocketedValue: null, verified: null, isInReview: true };
  const SHOWN = { pocketedValue: NONSENSE, verified: { percent: 10 }, isInReview: true };

  test('limits a gain and the reason of the review to its owner and administrators', async () => {
    const publicId = await claimed(44);
    expect((await board(app)).calls).toMatchObject([HIDDEN]);
    expect((await board(app, 'free')).calls).toMatchObject([HIDDEN]);
    const [hidden, revealed] = [null, expect.stringContaining('pocketed')];
    for (const as of ['guest', 'basic'] as const)
      expect(await timeline(publicId, as)).toMatchObject({ call: HIDDEN, review: { reason: hidden } });
    for (const as of ['free', 'admin'] as const)
      expect(await timeline(publicId, as)).toMatchObject({ call: SHOWN, review: { reason: revealed } });
    expect((await board(app, 'admin')).calls).toMatchObject([SHOWN]);
    expect(await mine(app)).toMatchObject([SHOWN]);
    await decide(app, publicId, 'normal');
    expect((await timeline(publicId, 'guest')).review).toBeNull();
  });

  test('keeps a gain out of the ledger’s texts', async () => {
    await claimed(44);
    const texts = (await ledgerOf(app)).map((row, index) => entryWords(row, index + 1).text);
    expect(texts.some((text) => text.startsWith('Pocketed in review'))).toBe(true);
    expect(texts.join(' ')).not.toContain('9,000,000');
    // The first text has the target, which is as high.
    expect(texts.slice(1).join(' ')).not.toContain('+10.0%');
  });

  test('shows a loss, without its owner’s claim', async () => {
    const publicId = await claimed(36);
    const lost = { pocketedValue: null, verified: { percent: -10 }, isInReview: true };
    expect((await board(app)).calls).toMatchObject([lost]);
    expect((await timeline(publicId, 'guest')).call).toMatchObject(lost);
  });
});

test('the queue contains all waiting and rejected calls, however old', async () => {
  const rejected = await submit(app);
  const waiting = await submit(app);
  await decide(app, rejected, 'rejected');
  await decide(app, waiting, 'review');
  const [row] = app.db.select().from(calls).limit(1).all();
  if (!row) throw new Error('The call was not kept.');
  const { id: _, ...columns } = row;
  const newer = Array.from({ length: 520 }, (_unused, index) => ({
    ...columns,
    publicId: `newer-${index}`,
    adminStatus: 'normal' as const,
    submittedAt: row.submittedAt + 1 + index,
  }));
  for (let from = 0; from < newer.length; from += 100)
    app.db
      .insert(calls)
      .values(newer.slice(from, from + 100))
      .run();
  app.parts.calls.service.resume();
  const { calls: found } = await board(app, 'admin');
  const queue = found.filter(({ adminStatus }) => adminStatus !== 'normal');
  expect(queue.map(({ publicId }) => publicId).sort()).toEqual([rejected, waiting].sort());
  expect(found).toHaveLength(502);
});

describe('corrections', () => {
  const body = { reason: 'A bad print.', marks: { targetReached: null } };

  const correct = (app: TestApp, publicId: string, sent: object) =>
    app.request('POST', `/api/admin/calls/${publicId}/corrections`, { as: 'admin', body: sent });

  /** A call whose target was reached at 45 by a bad print. */
  async function withTarget(): Promise<string> {
    const publicId = await submit(app, 'free', { stopLossType: 'TRAILING_PCT', stopLoss: 5 });
    for (const price of [40, 45, 40]) trade(app, 'BHP', price);
    return publicId;
  }

  const refusals: [name: string, sent: object, field: string][] = [
    ['an empty reason', { ...body, reason: '  ' }, 'reason'],
    ['a reason that is too long', { ...body, reason: 'x'.repeat(301) }, 'reason'],
    ['no marks', { reason: 'x' }, 'marks'],
    ['an unknown mark', { reason: 'x', marks: { entryPrice: 1 } }, 'marks'],
    ['a negative price', { reason: 'x', marks: { best: -1 } }, 'best'],
    ['an invalid time', { reason: 'x', marks: { stopReached: { price: 1, at: 'soon' } } }, 'stopReached'],
    ['an exit of an open call', { reason: 'x', marks: { exitTrade: { price: 41 } } }, 'exitTrade'],
    ['unchanged marks', { reason: 'x', marks: { stopReached: { price: 40 }, best: 45 } }, 'marks'],
  ];
  test('an invalid correction is refused and changes nothing', async () => {
    const publicId = await withTarget();
    const before = await mine(app);
    expect((await correct(app, 'x', body)).status).toBe(404);
    for (const [name, sent, field] of refusals) {
      const { status, json } = await correct(app, publicId, sent);
      expect({ name, status, json }).toMatchObject({ name, status: 400, json: { field } });
    }
    expect(await mine(app)).toEqual(before);
  });

  test('a bad print is removed, with author, time and reason next to the original value', async () => {
    const publicId = await withTarget();
    const at = new Date(app.clock.now()).toISOString();
    const marks = { targetReached: null, stopReached: null, highestSinceFill: 40, best: 40 };
    expect((await correct(app, publicId, { reason: ' The print of 45 was cancelled. ', marks })).status).toBe(
      200,
    );
    const [own] = await mine(app);
    expect(own).toMatchObject({
      targetReached: null,
      stopReached: null,
      highestSinceFill: 40,
      stopLevel: 38,
      corrections: [
        {
          at,
          by: { display: 'admin' },
          reason: 'The print of 45 was cancelled.',
          changes: [
            { mark: 'targetReached', before: { price: 45 }, after: null },
            { mark: 'stopReached', before: { price: 40 }, after: null },
            { mark: 'highestSinceFill', before: 45, after: 40 },
            { mark: 'best', before: 45, after: 40 },
          ],
        },
      ],
    });
    expect((await shown(app, publicId)).corrections).toHaveLength(1);
    trade(app, 'BHP', 44);
    expect((await mine(app))[0]).toMatchObject({ targetReached: { price: 44 }, highestSinceFill: 44 });
  });

  test('a new entry and exit of a settled call change its result', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 50);
    await end(app, publicId, 'close');
    trade(app, 'BHP', 50);
    expect((await shown(app, publicId)).verified).toMatchObject({ entryPrice: 50, percent: 0 });
    const marks = { entryTrade: { price: 40 }, exitTrade: { price: 44 }, priceAtClose: 44 };
    const answer = await correct(app, publicId, { reason: 'Both prints were wrong.', marks });
    expect((answer.json as { call: AdminCall }).call.verified).toMatchObject({ percent: 10 });
    expect((await board(app)).leaderboard[0]?.metrics).toMatchObject({ verified: 1, wins: 1 });
  });

  test('clearing a false split resumes the call and ends its review', async () => {
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    app.clock.advance(24 * 3_600_000);
    const session = { open: 20, high: 21, low: 20, last: 20.5, close: 20, volume: 9 };
    app.source.apply([{ code: 'BHP', ...session }]);
    app.tick.run();
    const paused = (await board(app, 'admin')).calls[0];
    expect(paused).toMatchObject({ adminStatus: 'review', trackingPaused: expect.stringContaining('split') });
    await correct(app, publicId, { reason: 'It did fall by half.', marks: { isFollowed: true } });
    expect((await board(app, 'admin')).calls[0]).toMatchObject({
      adminStatus: 'normal',
      reviewReason: null,
      trackingPaused: null,
    });
    trade(app, 'BHP', 20);
    expect((await mine(app))[0]?.stopReached).toMatchObject({ price: 20 });
  });
});
