import { afterEach, expect, test } from 'bun:test';
import { pushFinding } from '../../../../src/subjects/devices/rules/pushFinding.ts';
import { DeviceStore } from '../../../../src/subjects/devices/server/store.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';

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
      ...{ userId: 1, endpoint: `https://push.example/${n}`, p256dh: '', auth: '', origin: '', name: `${n}` },
      ...{ sessionId: '', createdAt: 0 },
      ...device,
    });
  }
  const found = pushFinding(store.tally());
  return found && found.state;
}

test('is nothing without devices, also if all are gone', () => {
  expect([stateOf(), stateOf({ status: 'gone', failedAt: 9 })]).toEqual([undefined, undefined]);
});
test('is unchecked until a device took a message', () => {
  expect(stateOf({})).toBe(null);
  expect(stateOf({ deliveredAt: 5 })).toBe('ok');
});
test('does not work if every device is refused', () => {
  expect(stateOf({ status: 'refused', failedAt: 9, deliveredAt: 5 })).toBe('wrong');
  expect(stateOf({ status: 'refused', failedAt: 9 }, { status: 'gone', failedAt: 9 })).toBe('wrong');
});
test('does not work if the last two devices were refused, and works again with the next delivery', () => {
  const refused = { status: 'refused', failedAt: 9 } as const;
  expect(stateOf(refused, refused, { deliveredAt: 5 })).toBe('wrong');
  expect(stateOf(refused, refused, { deliveredAt: 10 })).toBe('ok');
});
test('one refused device among others is its own fault', () => {
  expect(stateOf({ status: 'refused', failedAt: 9 }, { deliveredAt: 5 })).toBe('ok');
});
