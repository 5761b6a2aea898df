import { describe, expect, test } from 'bun:test';
import type { AdminCall } from '../../../../src/subjects/calls/rules/types.ts';
import { board, end, list, mine, shown, submit, trade } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const url = '/api/admin/calls/x/corrections';
const body = { reason: 'A bad print.', marks: { targetReached: null } };

const correct = (app: TestApp, publicId: string, sent: object) =>
  app.request('POST', `/api/admin/calls/${publicId}/corrections`, { as: 'admin', body: sent });

/** A call whose target was reached at 45, which a bad print is made of. */
async function withTarget(app: TestApp): Promise<string> {
  list(app);
  const publicId = await submit(app, 'free', { stopLossType: 'TRAILING_PCT', stopLoss: 5 });
  for (const price of [40, 45, 40]) trade(app, 'BHP', price);
  return publicId;
}

describe('POST /admin/calls/{publicId}/corrections', () => {
  scenarios([
    { name: 'guest', method: 'POST', url, body, status: 401 },
    { name: 'free user', method: 'POST', url, body, as: 'free', status: 403 },
    { name: 'premium user', method: 'POST', url, body, as: 'premium', status: 403 },
    { name: 'administrator, no such call', method: 'POST', url, body, as: 'admin', status: 404 },
  ]);

  const refusals: [name: string, sent: object, field: string][] = [
    ['no reason', { marks: body.marks }, 'reason'],
    ['an empty reason', { ...body, reason: '  ' }, 'reason'],
    ['a reason that is a novel', { ...body, reason: 'x'.repeat(301) }, 'reason'],
    ['no marks', { reason: 'x' }, 'marks'],
    ['a mark that there is not', { reason: 'x', marks: { entryPrice: 1 } }, 'marks'],
    ['a negative price', { reason: 'x', marks: { best: -1 } }, 'best'],
    ['a time that is none', { reason: 'x', marks: { stopReached: { price: 1, at: 'soon' } } }, 'stopReached'],
    ['an exit of an open call', { reason: 'x', marks: { exitTrade: { price: 41 } } }, 'exitTrade'],
    ['what is recorded already', { reason: 'x', marks: { stopReached: { price: 40 }, best: 45 } }, 'marks'],
  ];
  for (const [name, sent, field] of refusals) {
    test(`${name} is refused and changes nothing`, async () => {
      const app = createTestApp();
      const publicId = await withTarget(app);
      const before = await mine(app);
      const answer = await correct(app, publicId, sent);
      expect({ status: answer.status, json: answer.json }).toEqual({
        status: 400,
        json: { error: expect.any(String), field },
      } as never);
      expect(await mine(app)).toEqual(before);
      app.close();
    });
  }

  test('a bad print is struck out, with who, when and why beside what had been recorded', async () => {
    const app = createTestApp();
    const publicId = await withTarget(app);
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
    app.close();
  });

  test('the entry and the exit of a settled call give another result', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app);
    trade(app, 'BHP', 50);
    await end(app, publicId, 'close');
    trade(app, 'BHP', 50);
    expect((await shown(app, publicId)).verified).toMatchObject({ entryPrice: 50, percent: 0 });
    const marks = { entryTrade: { price: 40 }, exitTrade: { price: 44 }, priceAtClose: 44 };
    const answer = await correct(app, publicId, { reason: 'Both prints were wrong.', marks });
    expect((answer.json as { call: AdminCall }).call.verified).toMatchObject({ percent: 10 });
    expect((await board(app)).leaderboard[0]?.metrics).toMatchObject({ verified: 1, wins: 1 });
    app.close();
  });

  test('an exit that is struck out is awaited again', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    await end(app, publicId, 'close');
    trade(app, 'BHP', 30);
    await correct(app, publicId, { reason: 'A bad print.', marks: { exitTrade: null } });
    expect(await shown(app, publicId)).toMatchObject({ verified: null, awaitingTrade: 'exit' });
    trade(app, 'BHP', 39);
    expect((await shown(app, publicId)).verified).toMatchObject({ exitPrice: 39, percent: -2.5 });
    app.close();
  });

  test('a split that was none: the call is followed again, and no longer waits for review', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app);
    trade(app, 'BHP', 40);
    app.clock.advance(24 * 3_600_000);
    const session = { open: 20, high: 21, low: 20, last: 20.5, close: 20, volume: 9 };
    app.source.give([{ code: 'BHP', ...session }]);
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
    app.close();
  });

  test('a fill that was none makes the call pending again', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app, 'free', { callType: 'buy', entryPrice: 39 });
    trade(app, 'BHP', 38.9);
    expect((await shown(app, publicId)).status).toBe('open');
    await correct(app, publicId, { reason: 'A bad print.', marks: { entryTrade: null } });
    expect(await shown(app, publicId)).toMatchObject({ status: 'pending', filledAt: null, entryTrade: null });
    trade(app, 'BHP', 38.5);
    expect(await shown(app, publicId)).toMatchObject({ status: 'open', fillPrice: 38.5 });
    app.close();
  });
});
