import { describe, expect, test } from 'bun:test';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import type { ProcessControl, Trial } from '#platform/install/shared/processControl.ts';
import { createTestApp } from '#support/testApp.ts';

/** A process that counts its requested restarts. */
function counted(more: Partial<ProcessControl> = {}) {
  const control = { supervisor: 'parent' as const, restarts: 0, restart: () => void (control.restarts += 1) };
  return Object.assign(control, more);
}

/** A trial that the test ends. */
function heldTrial(holds = true) {
  const waiting: (() => void)[] = [];
  let isRunning = true;
  const trial: Trial = {
    isRunning: () => isRunning,
    holdsChanges: () => isRunning && holds,
    whenOver: () => undefined,
    whenChangesOpen: (run) => void (isRunning && holds ? waiting.push(run) : run()),
  };
  return {
    trial,
    end: () => {
      isRunning = false;
      for (const run of waiting.splice(0)) run();
    },
  };
}

describe('POST /api/admin/server/restart', () => {
  test('is confirmed, done and audited for an administrator', async () => {
    const control = counted();
    const app = createTestApp({ runtime: { control } });
    const answer = await app.request('POST', '/api/admin/server/restart', { as: 'admin' });
    expect([answer.status, answer.json]).toEqual([200, { restarting: true }]);
    expect(control.restarts).toBe(1);
    const { id } = await app.user('admin');
    expect(app.db.select().from(auditEntries).all()).toMatchObject([{ userId: id, action: 'restart' }]);
    app.close();
  });

  test('audits and stops nothing if it is refused', async () => {
    const control = counted({ trial: heldTrial(false).trial });
    for (const [app, status] of [
      [createTestApp(), 400],
      [createTestApp({ runtime: { control } }), 409],
    ] as const) {
      const answer = await app.request('POST', '/api/admin/server/restart', { as: 'admin' });
      expect([answer.status, answer.json]).toEqual([status, { error: expect.stringMatching(/\.$/) }]);
      expect(app.db.select().from(auditEntries).all()).toEqual([]);
      app.close();
    }
    expect(control.restarts).toBe(0);
  });
});

describe('during a trial, when the database may be rolled back', () => {
  test('changes are refused with a sentence and reads are not, until it is over', async () => {
    const { trial, end } = heldTrial();
    const app = createTestApp({ runtime: { control: counted({ trial }) } });
    const register = { username: 'Newcomer', password: 'long enough', platform: 'web' };
    const attempt = () => app.request('POST', '/api/register', { body: register });
    const refused = await attempt();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '15']);
    expect(refused.json).toEqual({ error: expect.stringMatching(/^A new version is on trial, .*\.$/) });
    expect((await app.request('PUT', '/api/no/such/thing', { body: {} })).status).toBe(503);
    expect((await app.request('GET', '/api/app')).status).toBe(200);
    expect((await app.request('GET', '/api/calls/leaderboard')).status).toBe(200);
    const stream = await app.open('GET', '/api/data/stream');
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    end();
    expect((await attempt()).status).toBe(200);
    app.close();
  });

  test('market data is still accepted', async () => {
    const { trial } = heldTrial();
    const key = 'a key of the tests, long enough';
    const env = { BELLBIRD_FEED: 'ingest', BELLBIRD_INGEST_KEY: key };
    const app = createTestApp({ env, runtime: { control: counted({ trial }) } });
    const sent = await app.request('POST', '/api/ingest/market', {
      body: {},
      headers: { authorization: key },
    });
    expect(sent.status).not.toBe(503);
    app.close();
  });
});
