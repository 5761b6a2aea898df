import { afterEach, expect, test } from 'bun:test';
import { devices } from '#src/tables/userSchema.ts';
import { Signatures } from '#platform/push/sender.ts';
import { keptVapidKeys } from '#platform/push/vapid.ts';
import { appOf } from '#support/appOf.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { addDevice, createPushFixture, pushed, type PushFixture } from '#support/pushFixture.ts';
import { START } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';

const HOUR = 3_600_000;

let fixture: PushFixture | null = null;
afterEach(() => fixture?.stop());

const openFixture = async (aheadMs: number) => {
  const opened = await createPushFixture();
  fixture = opened;
  opened.setClock(aheadMs);
  const device = await addDevice(opened.db, opened.service);
  opened.outbox.start();
  const titles = () => opened.service.arrivals.map(({ notification }) => notification.title);
  const send = async (title: string): Promise<void> => {
    opened.add(pushed(device, title));
    await waitUntil(title, () => titles().includes(title));
  };
  const statuses = () => opened.db.select({ status: devices.status }).from(devices).all();
  return { ...opened, device, send, statuses };
};

for (const [named, aheadMs] of [
  ['26 hours behind', -26 * HOUR],
  ['20 years ahead', 20 * 365 * 24 * HOUR],
] as const) {
  test(`a server whose clock is ${named} reaches its devices, and detects its wrong clock`, async () => {
    const { send, service, push, statuses } = await openFixture(aheadMs);
    await send('first');
    expect(service.attempts).toHaveLength(2);
    await send('second');
    // The signature for the service’s time is reused for the next message.
    expect(service.attempts).toHaveLength(3);
    expect(statuses()).toEqual([{ status: 'registered' }]);
    expect(service.faults).toEqual([]);
    const [ahead] = push.clockAhead();
    expect(Math.round((ahead ?? 0) / 60_000)).toBe(aheadMs / 60_000);
  });

  test(`a clock that was ${named} and is corrected while the server runs is used immediately`, async () => {
    const { send, service, push, setClock } = await openFixture(aheadMs);
    await send('first');
    setClock(0);
    expect(push.clockAhead().map((ahead) => Math.abs(ahead) < 60_000)).toEqual([true]);
    await send('second');
    expect(service.attempts).toHaveLength(3);
    expect(new Set(service.attempts.map(({ authorization }) => authorization)).size).toBe(3);
  });
}

test('a refusal because of the time is retried, names the clock, and keeps the device', async () => {
  const { service, add, device, outbox, statuses } = await openFixture(-26 * HOUR);
  service.setClock(() => Date.now(), false);
  add(pushed(device, 'first'));
  await waitUntil('both attempts', () => service.attempts.length === 2);
  await waitUntil('its outcome', () => outbox.service.counts().waiting === 1);
  expect(statuses()).toEqual([{ status: 'registered' }]);
  expect(JSON.stringify(outbox.inspect().data())).toContain('the server’s clock seems wrong');
});

/** Signatures on a clock, for a server at this address. */
function signing(publicUrl: string | null) {
  const clock = createHandScheduler(START);
  const db = openMemoryDb();
  const signatures = new Signatures(appOf({ clock, config: { publicUrl } }), keptVapidKeys(db));
  db.$client.close();
  const target = { endpoint: 'https://fcm.googleapis.com/x', p256dh: '', auth: '' };
  return { clock, headerFor: (origin: string) => signatures.headerFor({ ...target, origin }) };
}

test('a header is valid for six hours of the wall clock, whatever the stopwatch says', () => {
  const { clock, headerFor } = signing(null);
  const header = () => headerFor('https://a.example');
  const first = header();
  clock.advance(5 * HOUR);
  expect(header()).toBe(first);
  clock.stepWall(HOUR);
  const second = header();
  expect(second).not.toBe(first);
  clock.stepWall(-7 * HOUR);
  expect(header()).not.toBe(second);
});

test.each([
  ['the public address', 'https://bell.example', 'https://other.example', 'https://bell.example'],
  ['the device’s address', 'http://bell.example', 'https://other.example:8443', 'https://other.example:8443'],
  ['the device’s address', 'https://pi.local', 'https://bell.example', 'https://bell.example'],
  ['the device’s address', null, 'https://bell.example', 'https://bell.example'],
  ['any https address', null, 'https://pi.local', 'https://pi.local'],
  ['a mail address', null, 'http://localhost:8080', 'mailto:bellbird@localhost'],
])('the subject is %s with %p and a device of %s', (_, publicUrl, origin, subject) => {
  const [, claims = ''] = signing(publicUrl).headerFor(origin).split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: 'https://fcm.googleapis.com',
    sub: subject,
    exp: Math.floor(START / 1000) + 12 * 3600,
  });
});
