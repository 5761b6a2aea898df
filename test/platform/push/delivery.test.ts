import { afterEach, beforeEach, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { REPEAT_MARK } from '#platform/chatClients/messageText.ts';
import { outbox as outboxTable } from '#src/tables/alertSchema.ts';
import { devices } from '#src/tables/userSchema.ts';
import type { PushMishap } from '#support/pushService.ts';
import { addDevice, createPushFixture, pushed, type PushFixture } from '#support/pushFixture.ts';
import { waitUntil } from '#support/waitUntil.ts';

let fixture: PushFixture;
beforeEach(async () => {
  fixture = await createPushFixture();
});
afterEach(() => fixture.stop());

const oneDevice = () => addDevice(fixture.db, fixture.service);
const two = async () => [await oneDevice(), await addDevice(fixture.db, fixture.service, 2)] as const;

const deviceRow = (id: number) => fixture.db.select().from(devices).where(eq(devices.id, id)).get();
const statuses = () =>
  fixture.db.select({ status: outboxTable.status, reason: outboxTable.failedReason }).from(outboxTable).all();
const titles = (browser: number): string[] =>
  fixture.service.arrivals
    .filter((one) => one.browser === browser)
    .map(({ notification }) => notification.title);
const isOver = (): boolean => {
  const { waiting, sending } = fixture.outbox.service.counts();
  return waiting + sending === 0;
};

/** Fails the first message that arrives, and no other. */
function mishapOnce(mishap: PushMishap): void {
  let isDone = false;
  fixture.service.setMishap(() => {
    if (isDone) return 'none';
    isDone = true;
    return mishap;
  });
}

test('a message arrives encrypted, signed and unchanged, and the device records the time', async () => {
  const device = await oneDevice();
  fixture.outbox.start();
  const buttons = [{ action: 'snooze', target: 17, label: 'Snooze 1 h' }] as const;
  fixture.add(
    pushed(device, 'BHP 50.61 ▲ +1.7%', { lines: ['last > 50', 'Breakout'], page: '#/x', buttons }),
  );
  await waitUntil('the message', isOver);
  const [arrival] = fixture.service.arrivals;
  expect(arrival?.notification).toEqual({
    title: 'BHP 50.61 ▲ +1.7%',
    body: 'last > 50\nBreakout',
    tag: 'alert-17',
    page: '#/x',
    nonce: expect.any(String),
    token: expect.any(String),
  });
  expect(fixture.push.tokens.read(arrival?.notification.token ?? '', Date.now())).toEqual({
    deviceId: device.id,
    kind: 'alert',
    alertId: 17,
  });
  expect(arrival?.claims).toMatchObject({ sub: 'https://bell.example', key: fixture.push.publicKey });
  expect(Object.fromEntries(arrival?.headers ?? [])).toMatchObject({
    urgency: 'high',
    topic: arrival?.notification.nonce,
  });
  expect(fixture.service.faults).toEqual([]);
  expect(statuses()).toEqual([{ status: 'sent', reason: null }]);
  expect(deviceRow(device.id)?.deliveredAt).toBeGreaterThan(0);
});

test('a device receives its messages in order, once each, with one shared signature', async () => {
  const [one, other] = await two();
  fixture.outbox.start();
  const numbers = Array.from({ length: 12 }, (_, index) => `m${index}`);
  fixture.add(...numbers.flatMap((title) => [pushed(one, title), pushed(other, title)]));
  await waitUntil('all messages', isOver);
  expect(titles(one.number)).toEqual(numbers);
  expect(titles(other.number)).toEqual(numbers);
  expect(new Set(fixture.service.attempts.map(({ authorization }) => authorization)).size).toBe(1);
});

for (const mishap of ['error500Accepted', 'cutAccepted', { status: 500, retryAfter: '1' }] as const) {
  test(`after ${JSON.stringify(mishap)} the repeat is marked as one, and replaces the first`, async () => {
    const device = await oneDevice();
    mishapOnce(mishap);
    fixture.outbox.start();
    fixture.add(pushed(device, 'a'));
    await waitUntil('the second attempt', isOver);
    const { arrivals } = fixture.service;
    const last = arrivals.at(-1)?.notification;
    expect(last?.body).toBe(REPEAT_MARK);
    expect(new Set(arrivals.map(({ notification }) => notification.nonce)).size).toBe(1);
    expect(new Set(arrivals.map(({ headers }) => headers.get('topic'))).size).toBe(1);
  });
}

for (const status of [404, 410]) {
  test(`a ${status} disables the device, with a reason, and fails its waiting messages`, async () => {
    const [device, sound] = await two();
    fixture.service.setMishap((browser) => (browser === device.number ? { status } : 'none'));
    fixture.outbox.start();
    fixture.add(pushed(device, 'a'), pushed(device, 'b'), pushed(sound, 'c'));
    await waitUntil('the last outcome', isOver);
    const reason = expect.stringContaining('Permission for notifications was withdrawn');
    expect(deviceRow(device.id)).toMatchObject({ status: 'gone', failedReason: reason });
    expect(statuses()).toEqual([
      { status: 'failed', reason },
      { status: 'failed', reason },
      { status: 'sent', reason: null },
    ]);
    expect(fixture.service.attempts.filter(({ browser }) => browser === device.number)).toHaveLength(1);
  });
}

test('a 413 fails only that message; a 403 all of a device until it registers again', async () => {
  const [long, foreign] = await two();
  let isFirst = true;
  fixture.service.setMishap((browser) => {
    if (browser === foreign.number) return { status: 403 };
    const wasFirst = isFirst;
    isFirst = false;
    return wasFirst ? { status: 413 } : 'none';
  });
  fixture.outbox.start();
  fixture.add(pushed(long, 'a'), pushed(long, 'b'), pushed(foreign, 'c'), pushed(foreign, 'd'));
  await waitUntil('the last outcome', isOver);
  expect(titles(long.number)).toEqual(['b']);
  expect(deviceRow(long.id)?.status).toBe('registered');
  expect(deviceRow(foreign.id)).toMatchObject({
    status: 'refused',
    failedReason: expect.stringContaining('Allow notifications there again'),
  });
  expect(statuses().map(({ status }) => status)).toEqual(['failed', 'sent', 'failed', 'failed']);
});

test('nothing is sent to a removed device, or to another user’s', async () => {
  const [removed, foreign] = await two();
  fixture.db.delete(devices).where(eq(devices.id, removed.id)).run();
  fixture.outbox.start();
  fixture.add(pushed(removed, 'a'), pushed({ ...foreign, userId: 1 }, 'b'));
  await waitUntil('the last outcome', isOver);
  const reason = 'The device was removed before this message was sent.';
  expect(statuses()).toEqual([
    { status: 'failed', reason },
    { status: 'failed', reason },
  ]);
  expect(fixture.service.attempts).toEqual([]);
});

test('no log and no call count contains a device address, a key or a token', async () => {
  const device = await oneDevice();
  const row = deviceRow(device.id);
  mishapOnce('cut');
  fixture.outbox.start();
  fixture.add(pushed(device, 'a'));
  await waitUntil('the last outcome', isOver);
  const output = JSON.stringify([fixture.lines, fixture.calls, fixture.outbox.inspect().data()]);
  expect(fixture.calls.map(({ endpoint }) => endpoint)).toContain(`${fixture.service.origin}/{device}`);
  for (const secret of [row?.endpoint, row?.auth, row?.p256dh]) expect(output).not.toContain(secret ?? '');
  for (const { authorization } of fixture.service.attempts)
    expect(output).not.toContain(authorization.slice(0, 40));
});
