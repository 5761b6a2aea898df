import { expect, test, afterEach } from 'bun:test';
import { outbox } from '#src/tables/alertSchema.ts';
import { devices } from '#src/tables/userSchema.ts';
import { createActionTokens } from '#platform/push/actionToken.ts';
import { addAlert, alertsOf, withListed } from '#support/alertsApp.ts';
import { trade } from '#support/callsApp.ts';
import { addDeviceOf, devicesOf, renewDeviceOf, subscriptionOf } from '#support/devicesApp.ts';
import { PASSWORD, TEST_SECRET, type TestApp } from '#support/testApp.ts';
import { pushFinding } from '#subjects/devices/rules/pushEndpoint.ts';
import { DeviceStore } from '#subjects/devices/server/store.ts';
import { openMemoryDb } from '#support/memoryDb.ts';

const opened: { close(): void }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

type Device = { status?: 'registered' | 'refused' | 'gone'; deliveredAt?: number; failedAt?: number };

function stateOf(...devices: Device[]) {
  const db = openMemoryDb();
  opened.push(db.$client);
  db.$client.run(
    `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (1, 'a', 'a', 'x', 0)`,
  );
  const store = new DeviceStore(db);
  for (const [n, device] of devices.entries()) {
    store.insert({
      userId: 1,
      endpoint: `https://push.example/${n}`,
      p256dh: '',
      auth: '',
      origin: '',
      name: `${n}`,
      sessionId: '',
      createdAt: 0,
      ...device,
    });
  }
  const found = pushFinding(store.tally());
  return found && found.state;
}

const REFUSED = { status: 'refused', failedAt: 9 } as const;
const GONE = { status: 'gone', failedAt: 9 } as const;
test.each<[name: string, devices: Device[], state: 'ok' | 'wrong' | null | undefined]>([
  ['undefined without devices', [], undefined],
  ['undefined if all are gone', [GONE], undefined],
  ['unchecked until a device received a message', [{}], null],
  ['ok once one received a message', [{ deliveredAt: 5 }], 'ok'],
  ['wrong if every device is refused', [{ ...REFUSED, deliveredAt: 5 }], 'wrong'],
  ['wrong if every remaining device is refused', [REFUSED, GONE], 'wrong'],
  ['wrong if the last two devices were refused', [REFUSED, REFUSED, { deliveredAt: 5 }], 'wrong'],
  ['ok again with the next delivery', [REFUSED, REFUSED, { deliveredAt: 10 }], 'ok'],
  ['ok if only one of several devices is refused', [REFUSED, { deliveredAt: 5 }], 'ok'],
])('the push status is %s', (_, all, state) => expect(stateOf(...all)).toBe(state));

const ANDROID = {
  'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit Chrome/140.0 Mobile Safari/537.36',
};

const waiting = (app: TestApp) =>
  app.db
    .select({
      platform: outbox.platform,
      chatId: outbox.chatId,
      message: outbox.message,
      status: outbox.status,
    })
    .from(outbox)
    .all();

test('a browser gets a name, and stays the same device when registered again', () =>
  withListed(async (app) => {
    const first = await addDeviceOf(app, 'a', { headers: ANDROID });
    expect(first).toMatchObject({ name: 'Chrome on Android', status: 'registered', delivered_at: null });
    const second = await addDeviceOf(app, 'b', { headers: ANDROID });
    expect(second.name).toBe('Chrome on Android 2');
    expect((await addDeviceOf(app, 'a', { headers: ANDROID })).id).toBe(first.id);
    expect((await devicesOf(app)).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await devicesOf(app, 'basic')).toEqual([]);
  }));

test('no response contains an address, a key or the server’s private key', () =>
  withListed(async (app) => {
    await addDeviceOf(app, 'a');
    const { endpoint, p256dh, auth } = subscriptionOf('a');
    const pages = ['/api/devices/', '/api/settings/export', '/api/admin/internal-state/devices'];
    const kept = app.db.$client.query(`SELECT value FROM facts WHERE key = 'push_keys'`).get() as {
      value: string;
    };
    const { privateKey, publicKey } = JSON.parse(kept.value) as { privateKey: string; publicKey: string };
    for (const page of pages) {
      const as = page.includes('admin') ? 'admin' : 'free';
      const { status, text } = await app.request('GET', page, { as });
      expect(status).toBe(200);
      for (const secret of [endpoint, p256dh, auth, privateKey]) expect(text).not.toContain(secret);
    }
    const { json } = await app.request('GET', '/api/devices/', { as: 'free' });
    expect(json).toMatchObject({ publicKey });
  }));

test('this server sends only to known push services', () =>
  withListed(async (app) => {
    const refused = async (endpoint: string): Promise<number> => {
      const body = { ...subscriptionOf('a'), endpoint };
      return (await app.request('POST', '/api/devices/', { as: 'free', body })).status;
    };
    for (const endpoint of [
      'http://fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.example.org/x',
      'https://user:word@fcm.googleapis.com/x',
      'https://google.com/x',
      'https://127.0.0.1/x',
      'https://push.apple.com/x',
      'https://evilpush.apple.com.test/x',
      'file:///etc/passwd',
      'no address',
      `https://fcm.googleapis.com/${'x'.repeat(1000)}`,
    ]) {
      expect([endpoint, await refused(endpoint)]).toEqual([endpoint, 400]);
    }
    for (const host of [
      'jmt17.google.com',
      'updates.push.services.mozilla.com',
      'web.push.apple.com',
      'wns2-sg2p.notify.windows.com',
    ]) {
      expect(await refused(`https://${host}/x`)).toBe(200);
    }
    const body = { ...subscriptionOf('k'), p256dh: 'short' };
    expect((await app.request('POST', '/api/devices/', { as: 'free', body })).status).toBe(400);
  }));

test('a user has at most ten devices and a limited number of changes', () =>
  withListed(async (app) => {
    for (let made = 0; made < 10; made += 1) await addDeviceOf(app, `d${made}`);
    const body = subscriptionOf('one too many');
    const refused = await app.request('POST', '/api/devices/', { as: 'free', body });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('already have 10') },
    });
    let status = 0;
    for (let more = 0; more < 30 && status !== 429; more += 1) {
      ({ status } = await app.request('POST', '/api/devices/', { as: 'free', body }));
    }
    expect(status).toBe(429);
  }));

test('a logout or a new password removes only the affected browsers', () =>
  withListed(async (app) => {
    const user = await app.user('free');
    const [here, there] = [{ token: await app.tokenOf(user) }, { token: await app.tokenOf(user) }];
    await addDeviceOf(app, 'here', { as: here });
    const other = await addDeviceOf(app, 'there', { as: there });
    await app.request('POST', '/api/logout', { as: here });
    expect((await devicesOf(app, there)).map(({ id }) => id)).toEqual([other.id]);
    await addDeviceOf(app, 'mine');
    const body = { currentPassword: PASSWORD, newPassword: 'another good passphrase' };
    expect((await app.request('POST', '/api/settings/password', { as: 'free', body })).status).toBe(200);
    expect((await devicesOf(app)).map(({ name }) => name)).toHaveLength(1);
  }));

test('a removed device does not return automatically, and users cannot change others’ devices', () =>
  withListed(async (app) => {
    const { id } = await addDeviceOf(app, 'a');
    for (const [method, path, body] of [
      ['DELETE', `/api/devices/${id}`, undefined],
      ['POST', `/api/devices/${id}/test`, undefined],
      ['PUT', `/api/devices/${id}/name`, { name: 'Mine' }],
      ['PUT', `/api/devices/${id}/subscription`, subscriptionOf('mine')],
    ] as const) {
      expect((await app.request(method, path, { as: 'basic', body })).status).toBe(404);
    }
    expect((await renewDeviceOf(app, id, 'b')).id).toBe(id);
    expect((await app.request('DELETE', `/api/devices/${id}`, { as: 'free' })).status).toBe(200);
    expect(renewDeviceOf(app, id, 'b')).rejects.toThrow('404');
  }));

test('the browser reports its new address together with the former one', () =>
  withListed(async (app) => {
    const { id } = await addDeviceOf(app, 'a');
    const former = subscriptionOf('a').endpoint;
    app.db.update(devices).set({ status: 'gone', failedReason: 'It ended.' }).run();
    const body = { former, ...subscriptionOf('b') };
    expect((await app.request('POST', '/api/devices/moved', { as: 'guest', body })).status).toBe(200);
    expect(await devicesOf(app)).toMatchObject([{ id, status: 'registered', failure: null }]);
    expect((await app.request('POST', '/api/devices/moved', { as: 'guest', body })).status).toBe(404);
  }));

test('an alert goes to its listed devices, to all, or to none', () =>
  withListed(async (app) => {
    const [one, two] = [await addDeviceOf(app, 'a'), await addDeviceOf(app, 'b')];
    const named = await addAlert(app, { destinations: { devices: [two.id, 999] } });
    expect(named.destinations).toEqual({ telegram: false, discord: false, devices: [two.id, 999] });
    trade(app, 'BHP', 51);
    expect(waiting(app).map(({ chatId }) => chatId)).toEqual([`google:${two.id}`]);
    app.db.delete(outbox).run();
    await app.request('DELETE', `/api/alerts/${named.id}`, { as: 'free' });
    trade(app, 'BHP', 40);
    await addAlert(app, { destinations: { devices: [] } });
    await addAlert(app, { destinations: { devices: 'all' } });
    app.clock.advance(1000);
    trade(app, 'BHP', 52);
    expect(waiting(app).map(({ chatId }) => chatId)).toEqual([`google:${one.id}`, `google:${two.id}`]);
    for (const wrong of ['some', [1.5], ['1'], Array.from({ length: 11 }, (_, id) => id)]) {
      const body = { symbol: 'BHP', destinations: { devices: wrong }, logic_json: named.logic_json };
      const answer = await app.request('POST', '/api/alerts', { as: 'free', body });
      expect(answer).toMatchObject({ status: 400, json: { field: 'destinations.devices' } });
    }
  }));

test('a button snoozes only its own alert of the device’s owner, for at most a day', () =>
  withListed(async (app) => {
    const device = await addDeviceOf(app, 'a');
    const [mine, foreign] = [await addAlert(app), await addAlert(app, {}, 'basic')];
    const tokens = createActionTokens(TEST_SECRET);
    const press = (alertId: number, action: string, token?: string) => {
      const named = { deviceId: device.id, kind: 'alert' as const, alertId };
      const body = { token: token ?? tokens.sign(named, app.clock.now()), action };
      return app.request('POST', '/api/devices/act', { as: 'guest', body });
    };
    expect(await press(mine.id, 'snooze')).toMatchObject({
      status: 200,
      json: { text: expect.stringMatching(/^Snoozed until \d\d:\d\d Sydney\.$/) },
    });
    const until = Date.parse((await alertsOf(app))[0]?.snoozed_until ?? '');
    expect(until - app.clock.now()).toBe(15 * 60_000);
    expect(await press(mine.id, 'today')).toMatchObject({
      json: { text: 'Off until the next trading day.' },
    });
    const today = Date.parse((await alertsOf(app))[0]?.snoozed_until ?? '');
    expect(today).toBeGreaterThan(until);
    // The longer snooze wins.
    await press(mine.id, 'snooze');
    expect(Date.parse((await alertsOf(app))[0]?.snoozed_until ?? '')).toBe(today);
    expect((await press(foreign.id, 'snooze')).status).toBe(404);
    const forged = tokens.sign({ deviceId: device.id, kind: 'alert', alertId: foreign.id }, app.clock.now());
    expect((await press(mine.id, 'snooze', forged.replace(`.${foreign.id}.`, `.${mine.id}.`))).status).toBe(
      404,
    );
    const old = tokens.sign({ deviceId: device.id, kind: 'alert', alertId: mine.id }, app.clock.now());
    app.clock.advance(24 * 3_600_000);
    expect((await press(mine.id, 'snooze', old)).status).toBe(404);
    const fresh = tokens.sign({ deviceId: device.id, kind: 'alert', alertId: mine.id }, app.clock.now());
    await app.request('DELETE', `/api/devices/${device.id}`, { as: 'free' });
    expect((await press(mine.id, 'snooze', fresh)).status).toBe(404);
  }));
