import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { alerts } from '#src/tables/alertSchema.ts';
import { loginSessions } from '#platform/db/schema.ts';
import { type AlertListener, listenToAlerts } from '#support/alertStreamClient.ts';
import { addAlert, ALERT, changeAlert, lastAbove, saveScan, watchlistOf } from '#support/alertsApp.ts';
import { aSeen, storeTrigger } from '#support/aTrigger.ts';
import { list, trade } from '#support/callsApp.ts';
import { createTestApp, type Role, type TestApp } from '#support/testApp.ts';

let app: TestApp;
let opened: AlertListener[] = [];

beforeEach(() => {
  app = createTestApp({ runtime: { alertPingMs: 5 } });
  list(app);
});
afterEach(async () => {
  for (const listener of opened) await listener.leave();
  opened = [];
  app.close();
});

const tokenOf = async (role: Exclude<Role, 'guest'>): Promise<string> => app.tokenOf(await app.user(role));

async function listen(
  token: string,
  options: Parameters<typeof listenToAlerts>[2] = {},
): Promise<AlertListener> {
  const listener = await listenToAlerts(app, token, options);
  opened.push(listener);
  return listener;
}

/** Stores a trigger that fired this long ago. @returns its id */
function keepTrigger(alertId: number, ago = 0): number {
  const at = app.clock.now() - ago;
  const symbol = app.db.select().from(alerts).where(eq(alerts.id, alertId)).get()?.symbol ?? '';
  return storeTrigger(app.db, { alertId, symbol, triggeredAt: at, marketAt: at });
}

describe('access to the alert stream', () => {
  test('accepts the token in the query or in the header', async () => {
    const token = await tokenOf('free');
    expect((await listen(token)).status).toBe(200);
    const header = { headers: { authorization: token }, query: '' };
    expect((await listen(token, header)).status).toBe(200);
    expect((await listen(token, { headers: { authorization: `Bearer ${token}` }, query: '' })).status).toBe(
      200,
    );
  });

  test('is refused without a token or with a forged, expired or revoked one', async () => {
    const answer = (query: string) => app.request('GET', `/api/user/alerts/stream${query}`);
    const revoked = await tokenOf('free');
    await app.request('POST', '/api/logout', { as: { token: revoked } });
    const expired = await tokenOf('free');
    expect((await answer(`?token=${expired}`.slice(0, -2))).status).toBe(401);
    app.clock.advance(31 * 24 * 3_600_000);
    for (const query of ['', '?token=', '?token=nonsense', `?token=${revoked}`, `?token=${expired}`]) {
      const { status, json } = await answer(query);
      expect({ query, status }).toEqual({ query, status: 401 });
      expect(json).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) });
    }
  });

  test('no other route accepts a token in the query', async () => {
    const token = await tokenOf('free');
    expect((await app.request('GET', `/api/alerts?token=${token}`)).status).toBe(401);
  });

  test('is limited to 50 streams per user', async () => {
    const token = await tokenOf('free');
    for (let index = 0; index < 50; index += 1) await listen(token, { from: `192.0.2.${index}` });
    const refused = await listen(token, { from: '192.0.2.200' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await listen(await tokenOf('basic'), { from: '192.0.2.200' })).status).toBe(200);
  });
});

test('delivers every change of the user’s own alerts and watchlist, and none of other users', async () => {
  const [mine, other] = [await listen(await tokenOf('free')), await listen(await tokenOf('basic'))];
  await addAlert(app);
  await changeAlert(app, 1, { name: 'Next' });
  await changeAlert(app, 1, { name: 'Next' });
  const { id } = await app.user('free');
  app.parts.alerts.service.setActive(id, 1, false);
  app.parts.alerts.service.snooze(id, 1, app.clock.now() + 1000);
  await app.request('PATCH', '/api/alerts/1', { as: 'free', body: { name: 'x', version: 1 } });
  await app.request('DELETE', '/api/alerts/1', { as: 'free' });
  await app.request('POST', '/api/watchlist', { as: 'free', body: { symbol: 'CBA' } });
  await app.request('POST', '/api/watchlist', { as: 'free', body: { symbol: 'CBA' } });
  const [item] = await watchlistOf(app);
  await app.request('DELETE', `/api/watchlist/${item?.id}`, { as: 'free' });
  const changed = (alertId: number | null, symbol: string) => ({
    id: null,
    event: 'alert_changed',
    data: { alertId, symbol },
  });
  await mine.until(({ events }) => events.length >= 8);
  expect(mine.events).toEqual([
    changed(null, 'BHP'),
    ...Array.from({ length: 5 }, () => changed(1, 'BHP')),
    changed(null, 'CBA'),
    changed(null, 'BHP'),
  ]);
  expect(other.events).toEqual([]);
});

describe('a reconnecting window', () => {
  test('receives the missed triggers, oldest first, and an order to reload', async () => {
    await addAlert(app);
    await addAlert(app, { name: null, symbol: 'CBA' });
    await addAlert(app, {}, 'basic');
    keepTrigger(1);
    const token = await tokenOf('free');
    const first = await listen(token);
    expect(first.events).toEqual([]);
    expect(first.lastId()).toBe('1');
    await first.leave();
    keepTrigger(3);
    keepTrigger(1);
    keepTrigger(2);
    const back = await listen(token, { lastEventId: '1' });
    await back.until(({ events }) => events.length >= 3);
    expect(back.events.map(({ id, event }) => [id, event])).toEqual([
      ['3', 'alert_triggered'],
      ['4', 'alert_triggered'],
      [null, 'alert_changed'],
    ]);
    expect(back.events[0]?.data).toEqual({
      alertId: 1,
      triggerId: 3,
      deactivated: false,
      symbol: 'BHP',
      name: ALERT.name,
      timestamp: '2026-11-18T00:00:00.000Z',
      marketTime: '2026-11-18T00:00:00.000Z',
      text: expect.stringMatching(/^BHP · .*11:00 Sydney$/),
      seen: [aSeen()],
      silent: false,
      sound: null,
    });
    expect(back.events[1]?.data).toMatchObject({ alertId: 2, symbol: 'CBA', name: null });
    expect(back.events[2]?.data).toEqual({ alertId: null, symbol: null });
    expect(back.lastId()).toBe('4');
    // A page that reconnects sends the id in the query.
    const byQuery = await listen(token, { query: `token=${token}&lastEventId=3` });
    await byQuery.until(({ events }) => events.length >= 2);
    expect(byQuery.events[0]?.id).toBe('4');
  });

  test('receives at most the newest 20 triggers of the last day', async () => {
    await addAlert(app);
    keepTrigger(1, 25 * 3_600_000);
    for (let index = 0; index < 25; index += 1) keepTrigger(1);
    const back = await listen(await tokenOf('free'), { lastEventId: '0' });
    await back.until(({ events }) => events.length >= 21);
    const ids = back.events.filter(({ event }) => event === 'alert_triggered').map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 7)));
  });

  test('ignores an id that was never issued', async () => {
    for (const lastEventId of ['-1', '99999999999999999999', '1; drop table alerts']) {
      const back = await listen(await tokenOf('free'), { lastEventId });
      expect([back.events, back.lastId()]).toEqual([[], '0']);
    }
  });
});

const endings: Record<string, (token: string) => Promise<void> | void> = {
  'at a logout': async (token) => {
    await app.request('POST', '/api/logout', { as: { token } });
  },
  'when the password is changed': async () => {
    app.db.update(loginSessions).set({ revokedAt: app.clock.now() }).run();
  },
  'when it expires': () => app.clock.advance(31 * 24 * 3_600_000),
  'when the account is deleted': async () => {
    app.db.$client.run('delete from users where id = ?', [(await app.user('free')).id]);
  },
};
test.each(Object.entries(endings))('a stream ends with its session %s', async (_name, endSession) => {
  const token = await tokenOf('free');
  const listener = await listen(token);
  await endSession(token);
  await listener.until((it) => it.ended());
  expect(app.parts.alerts.inspect().summary).toMatchObject({ streams: 0 });
  expect((await app.request('GET', `/api/user/alerts/stream?token=${token}`)).status).toBe(401);
});

test('the token never appears in the log, whatever the outcome of the request', async () => {
  const token = await tokenOf('free');
  await listen(token);
  await app.request('GET', `/api/user/alerts/stream?token=${token.slice(0, -3)}`);
  await app.request('POST', `/api/user/alerts/stream?token=${token}`);
  await app.request('GET', `/api/user/alerts/nothing?token=${token}`);
  app.db.$client.run('alter table alert_triggers rename to away');
  const broken = await app.open('GET', `/api/user/alerts/stream?token=${token}`);
  await broken.text();
  app.db.$client.run('alter table sessions rename to gone');
  expect((await app.request('GET', `/api/user/alerts/stream?token=${token}`)).status).toBe(500);
  await app.parts.requestLog.stop();
  app.db.$client.run('alter table gone rename to sessions');
  const logged = JSON.stringify(app.lines);
  expect(logged).toContain('/api/user/alerts/stream');
  expect(app.lines.filter(({ level }) => level === 'error').length).toBeGreaterThan(1);
  for (const part of token.split('.')) expect(logged).not.toContain(part.slice(0, 12));
});

describe('triggers of alerts on scans', () => {
  let token: string;
  let alertId: number;
  const listenAgain = (lastEventId?: string) => listen(token, lastEventId ? { lastEventId } : {});

  beforeEach(async () => {
    app.source.apply([{ code: 'NAB', status: 'Open', open: 30, last: 30, close: 30, volume: 100 }]);
    token = await tokenOf('free');
    const scan = { type: 'scan', id: (await saveScan(app)).id };
    const added = await app.request('POST', '/api/scan-alerts', {
      as: 'free',
      body: { scan, name: 'Up', minute_maximum: 1 },
    });
    alertId = (added.json as { id: number }).id;
    app.tick.run();
  });

  const received = ({ events }: AlertListener) =>
    events
      .filter(({ event }) => event === 'scan_alert_triggered')
      .map(({ data }) => (data as { symbol: string | null; triggerId: number }).symbol);
  const placeOf = (listener: AlertListener): string => {
    const id = listener.lastId();
    if (id === null) throw new Error('No position was sent.');
    return id;
  };

  test('are replayed once to a window that reconnects', async () => {
    const first = await listenAgain();
    trade(app, 'BHP', 51);
    await first.until((listener) => received(listener).length === 1);
    const now = new Date(app.clock.now()).toISOString();
    expect(first.events.find(({ event }) => event === 'scan_alert_triggered')?.data).toEqual({
      scanAlertId: alertId,
      triggerId: 1,
      timestamp: now,
      marketTime: now,
      symbol: 'BHP',
      name: 'Up',
      text: expect.stringContaining('entered Breakouts'),
      seen: [expect.objectContaining({ holds: true })],
      silent: false,
      sound: null,
    });
    await first.leave();
    app.clock.advance(60_000);
    app.tick.run();
    trade(app, 'CBA', 52);
    const back = await listenAgain(placeOf(first));
    await back.until(({ events }) => events.length >= 2);
    expect(received(back)).toEqual(['CBA']);
    expect(back.events.at(-1)).toMatchObject({
      event: 'alert_changed',
      data: { alertId: null, symbol: null },
    });
    const again = await listenAgain(placeOf(back));
    await again.until(({ events }) => events.length >= 1);
    expect(received(again)).toEqual([]);
  });

  test('are replayed as a summary only when the summary is complete', async () => {
    const first = await listenAgain();
    trade(app, 'BHP', 51);
    trade(app, 'CBA', 51);
    await first.until((listener) => received(listener).length === 1);
    await first.leave();
    const early = await listenAgain(placeOf(first));
    await early.until(({ events }) => events.length >= 1);
    expect(received(early)).toEqual([]);
    await early.leave();
    trade(app, 'NAB', 51);
    app.clock.advance(60_000);
    app.tick.run();
    const back = await listenAgain(placeOf(early));
    await back.until((listener) => received(listener).length >= 1);
    expect(received(back)).toEqual([null]);
  });

  test('have a position of their own, and other users receive none', async () => {
    await addAlert(app, { logic_json: lastAbove(50) });
    const first = await listenAgain();
    const stranger = await listen(await tokenOf('basic'));
    const before = placeOf(first);
    trade(app, 'BHP', 51);
    await first.until(({ events }) => events.length >= 2);
    expect(placeOf(first)).toBe('1.1');
    const back = await listenAgain(before);
    await back.until(({ events }) => events.length >= 3);
    expect(back.events.map(({ event }) => event)).toEqual([
      'alert_triggered',
      'scan_alert_triggered',
      'alert_changed',
    ]);
    const strange = await listen(await tokenOf('basic'), { lastEventId: '0' });
    await strange.until(({ events }) => events.length >= 1);
    expect([...strange.events, ...stranger.events].map(({ event }) => event)).toEqual(['alert_changed']);
  });
});
