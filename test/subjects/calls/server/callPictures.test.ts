import { afterEach, describe, expect, test } from 'bun:test';
import type { CallLife } from '../../../../src/subjects/calls/rules/life.ts';
import type { SubmitterRecord } from '../../../../src/subjects/calls/rules/record.ts';
import { board, end, list, submit, trade } from '../../../support/callsApp.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../../support/testApp.ts';

let app: TestApp;
const open = (): TestApp => {
  app = createTestApp();
  list(app);
  return app;
};
afterEach(() => app.close());

const life = async (publicId: string, as: 'guest' | 'free' | 'basic' | 'admin' = 'guest') =>
  app.request('GET', `/api/calls/${encodeURIComponent(publicId)}`, { as });
const record = async (name: string, as: 'guest' | 'free' = 'guest') =>
  app.request('GET', `/api/calls/by/${encodeURIComponent(name)}`, { as });

describe('a call under an address of its own', () => {
  test('a visitor reads what the board shows of it, and no more', async () => {
    open();
    const publicId = await submit(app);
    trade(app, 'BHP', 40.5);
    const { status, json } = await life(publicId);
    expect(status).toBe(200);
    const { call } = json as CallLife;
    const shown = (await board(app)).calls.find((one) => one.publicId === publicId);
    expect(shown).toBeDefined();
    expect(call).toEqual(shown as typeof call);
    expect(JSON.stringify(json)).not.toContain('adminStatus');
    expect(JSON.stringify(json)).not.toContain('userId');
  });

  test('a rejected one is for its owner and for administrators', async () => {
    open();
    const publicId = await submit(app);
    const body = { adminStatus: 'rejected' };
    await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
    expect((await life(publicId)).status).toBe(404);
    expect((await life(publicId, 'basic')).status).toBe(404);
    expect((await life(publicId, 'free')).status).toBe(200);
    expect((await life(publicId, 'admin')).status).toBe(200);
  });

  test('what is no id is no call: a sentence, and nothing else', async () => {
    open();
    for (const id of ['0', '-1', '1e9', "' OR 1=1 --", 'null', '%00', 'ä'.repeat(500), '../mine']) {
      const { status, json } = await life(id);
      expect({ id, status }).toEqual({ id, status: 404 });
      expect(JSON.stringify(json)).toContain('There is no such call');
    }
  });

  test('hours without prices are not known in its path: while it runs, and once it is kept', async () => {
    open();
    const publicId = await submit(app);
    trade(app, 'BHP', 40.5);
    const silent = app.clock.now();
    app.clock.advance(20 * 60_000);
    const lasting = { from: silent, until: app.clock.now() };
    const running = ((await life(publicId)).json as CallLife).path;
    // The last price that was seen is no price of now.
    expect(running).toMatchObject({ unknown: [lasting], bars: { close: [40.5] } });
    trade(app, 'BHP', 41);
    const gap = { from: silent, until: app.clock.now() };
    await end(app, publicId, 'close');
    trade(app, 'BHP', 41.5);
    for (let count = 0; count < 4; count += 1) {
      app.clock.advance(59_000);
      trade(app, 'BHP', 41.5);
    }
    const { path } = (await life(publicId)).json as CallLife;
    expect(path?.unknown).toEqual([gap]);
    expect(path?.bars.close).toEqual([40.5, 41.5]);
  });

  test('who has it already is answered 304', async () => {
    open();
    const publicId = await submit(app);
    const first = await life(publicId);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    const again = await app.request('GET', `/api/calls/${publicId}`, {
      as: 'guest',
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });

  test('an address that asks too often is told to wait', async () => {
    open();
    const publicId = await submit(app);
    for (let index = 0; index < 120; index += 1) expect((await life(publicId)).status).toBe(200);
    const refused = await life(publicId);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    app.clock.advance(61_000);
    expect((await life(publicId)).status).toBe(200);
  });
});

describe('a submitter’s record', () => {
  test('agrees with the leaderboard, and counts what has no result', async () => {
    open();
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
    // 40 at the posting to 40, the last price at the end, which is cheaper than the 42 after it.
    expect(records[0]?.ended).toMatchObject({
      count: 1,
      wins: 0,
      mean: 0,
      best: [{ publicId: won, percent: 0 }],
    });
  });

  test('of a rejected call that goes on counting it tells the loss alone', async () => {
    open();
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

  test('nobody, and somebody without calls, get the same answer', async () => {
    open();
    await app.user('premium');
    const nobody = await record('nobody at all');
    expect(nobody.status).toBe(404);
    for (const name of ['premium', 'a/b?c#d', '%', '😀', '‮', ' ', 'x'.repeat(150)]) {
      const { status, json } = await record(name);
      expect({ name, status, json }).toEqual({ name, status: 404, json: nobody.json });
    }
  });

  test('of a deleted account goes on under its neutral name', async () => {
    open();
    const user = await app.user('free');
    await submit(app);
    const body = { password: PASSWORD };
    await app.request('POST', '/api/settings/delete-account', { as: 'free', body });
    expect((await record('free')).status).toBe(404);
    const name = `Former member ${user.id}`;
    expect((await record(name)).json).toMatchObject({ submitter: { display: name } });
  });
});
