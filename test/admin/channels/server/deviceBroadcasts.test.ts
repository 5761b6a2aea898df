import { expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { DeviceBroadcasts } from '#admin/channels/server/broadcast.ts';
import { channelStore } from '#admin/channels/server/store.ts';
import { createLog } from '#lib/log.ts';
import { broadcasts } from '#src/tables/administrationSchema.ts';
import { outbox } from '#src/tables/alertSchema.ts';
import { devices } from '#src/tables/userSchema.ts';
import { listBroadcasts } from '#support/channelsApp.ts';
import { addDeviceOf } from '#support/devicesApp.ts';
import { eachApp } from '#support/eachApp.ts';
import type { TestApp } from '#support/testApp.ts';

const app = eachApp();

const send = (app: TestApp, body: object) =>
  app.request('POST', '/api/admin/channels/broadcast', { as: 'admin', body });

/** Writes the waiting messages, some devices per step, as the started part does. */
function writer(app: TestApp) {
  const jobs = new Set<() => void>();
  const schedule = (_ms: number, run: () => void) => {
    jobs.add(run);
    return () => void jobs.delete(run);
  };
  /** Runs the jobs due now, but not those they schedule. */
  const step = () => {
    const due = [...jobs];
    jobs.clear();
    for (const run of due) run();
  };
  const log = createLog(() => {});
  const broadcasts = new DeviceBroadcasts({ ...app.services, schedule }, channelStore(app.db), log);
  return { step, broadcasts };
}

const written = (app: TestApp) =>
  app.db.select({ userId: outbox.userId, target: outbox.target, message: outbox.message }).from(outbox).all();

test('a broadcast goes to the devices of users who did not switch broadcasts off', async () => {
  await addDeviceOf(app, 'a');
  await addDeviceOf(app, 'b');
  await addDeviceOf(app, 'c', { as: 'basic' });
  await addDeviceOf(app, 'd', { as: 'premium' });
  await app.request('PUT', '/api/devices/broadcasts', { as: 'premium', body: { wanted: false } });
  const { json } = await app.request('GET', '/api/admin/channels/broadcasts', { as: 'admin' });
  expect(json).toMatchObject({ reach: { people: 2, devices: 3 } });
  const answer = await send(app, { message: 'We close at six.', devices: true });
  expect(answer).toMatchObject({ status: 200, json: { broadcast: { devices: { total: 3, waiting: 3 } } } });
  const { step, broadcasts: writing } = writer(app);
  writing.start();
  step();
  step();
  expect(written(app)).toHaveLength(3);
  for (const { target, message } of written(app)) {
    expect(target).toBe('everybody');
    expect(message).toMatchObject({ title: 'From Bellbird’s administrator', lines: ['We close at six.'] });
  }
  app.db.update(outbox).set({ status: 'sent' }).where(eq(outbox.id, 1)).run();
  app.db.update(outbox).set({ status: 'failed' }).where(eq(outbox.id, 2)).run();
  expect((await listBroadcasts(app))[0]?.devices).toEqual({ total: 3, sent: 1, failed: 1, waiting: 1 });
});

test('many devices are written in batches, and a restart continues where it stopped', async () => {
  const first = await addDeviceOf(app, 'first');
  const row = app.db.select().from(devices).where(eq(devices.id, first.id)).get();
  if (!row) throw new Error('There is no device.');
  const { id: _id, ...like } = row;
  for (let number = 0; number < 450; number += 1) {
    app.db
      .insert(devices)
      .values({ ...like, endpoint: `${row.endpoint}-${number}` })
      .run();
  }
  expect((await send(app, { message: 'Hello', devices: true })).status).toBe(200);
  const before = writer(app);
  before.broadcasts.start();
  before.step();
  expect(written(app)).toHaveLength(200);
  before.broadcasts.stop();
  before.step();
  expect(written(app)).toHaveLength(200);
  const after = writer(app);
  after.broadcasts.start();
  for (let turn = 0; turn < 5; turn += 1) after.step();
  expect(written(app)).toHaveLength(451);
  expect(app.db.select({ done: broadcasts.devicesDone }).from(broadcasts).all()).toEqual([{ done: null }]);
});

test('a broadcast is refused if it reaches no device, is too long for a notification, or was just sent', async () => {
  expect(await send(app, { message: 'Hello', devices: true })).toMatchObject({
    status: 400,
    json: { field: 'devices' },
  });
  await addDeviceOf(app, 'a');
  expect(await send(app, { message: 'x'.repeat(901), devices: true })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('shorten it by 1 ') },
  });
  expect((await send(app, { message: 'Hello', devices: true })).status).toBe(200);
  expect(await send(app, { message: 'Hello', devices: true })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('sent to all devices a moment ago') },
  });
  expect((await send(app, { message: 'Hello', channelIds: [] })).status).toBe(400);
});
