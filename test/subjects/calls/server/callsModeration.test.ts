import { describe, expect, test } from 'bun:test';
import { calls } from '../../../../src/platform/db/schema.ts';
import { board, list, mine, submit } from '../../../support/callsApp.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createTestApp } from '../../../support/testApp.ts';

describe('POST /admin/calls/{publicId}/admin-status', () => {
  const url = '/api/admin/calls/x/admin-status';
  const body = { adminStatus: 'rejected' };
  scenarios([
    { name: 'guest', method: 'POST', url, body, status: 401 },
    { name: 'free user', method: 'POST', url, body, as: 'free', status: 403 },
    { name: 'premium user', method: 'POST', url, body, as: 'premium', status: 403 },
    { name: 'administrator, no such call', method: 'POST', url, body, as: 'admin', status: 404 },
    {
      name: 'administrator, no such status',
      method: 'POST',
      url,
      body: { adminStatus: 'x' },
      as: 'admin',
      status: 400,
    },
    {
      name: 'administrator, without a status, decides nothing',
      method: 'POST',
      url,
      body: {},
      as: 'admin',
      status: 400,
      json: { error: 'The admin status is one of normal, review, rejected', field: 'adminStatus' },
    },
  ]);

  test('a rejected call leaves the leaderboard until it is normal again', async () => {
    const app = createTestApp();
    list(app);
    const publicId = await submit(app);
    const set = (adminStatus: string) =>
      app.request('POST', `/api/admin/calls/${publicId}/admin-status`, {
        as: 'admin',
        body: { adminStatus },
      });
    expect((await set('rejected')).json).toMatchObject({ call: { publicId, adminStatus: 'rejected' } });
    expect(await board(app)).toMatchObject({ calls: [], leaderboard: [] });
    expect((await board(app, 'admin')).calls).toMatchObject([{ publicId, adminStatus: 'rejected' }]);
    expect(await mine(app)).toHaveLength(1);
    await set('normal');
    expect((await board(app)).calls).toMatchObject([{ publicId }]);
    app.close();
  });
});

test('the queue is whole: with what was rejected, or waits, longer ago than the list of recent calls goes back', async () => {
  const app = createTestApp();
  list(app);
  const rejected = await submit(app);
  const waiting = await submit(app);
  const reject = (id: string, adminStatus: string) =>
    app.request('POST', `/api/admin/calls/${id}/admin-status`, { as: 'admin', body: { adminStatus } });
  await reject(rejected, 'rejected');
  await reject(waiting, 'review');
  const [row] = app.db.select().from(calls).limit(1).all();
  if (!row) throw new Error('The call was not kept.');
  const { id: _, ...columns } = row;
  const newer = Array.from({ length: 520 }, (_unused, index) => ({
    ...columns,
    ...{
      publicId: `newer-${index}`,
      adminStatus: 'normal' as const,
      submittedAt: row.submittedAt + 1 + index,
    },
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
  app.close();
});

describe('seeding', () => {
  test('brings submitters with a history once, and leaves the demo user without calls', async () => {
    const app = createTestApp({ env: { BELLBIRD_TEST: '1' } });
    list(app);
    app.source.give(
      Array.from({ length: 40 }, (_, index) => ({
        code: `D${index}`,
        last: 0.2 + index,
        securityType: 'stock' as const,
      })),
    );
    const seeded = await app.request('POST', '/api/test/seed', { body: { username: 'demo' } });
    const as = { token: (seeded.json as { accessToken: string }).accessToken };
    const first = await board(app);
    expect(first.leaderboard.length).toBeGreaterThan(4);
    expect(first.calls.length).toBeGreaterThan(40);
    expect(first.leaderboard[0]?.metrics.verified).toBeGreaterThan(0);
    expect((await app.request('GET', '/api/calls/mine', { as })).json).toEqual({ calls: [] });
    await app.request('POST', '/api/test/seed', { body: { username: 'admin' } });
    expect((await board(app)).calls).toEqual(first.calls);
    app.close();
  });
});
