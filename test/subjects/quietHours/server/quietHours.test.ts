import { beforeEach, expect, test } from 'bun:test';
import { alertTriggers, linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { sendDigests, QuietHoursOf, quietHoursStore } from '#subjects/quietHours/server/index.ts';
import { addAlert, lastAbove, linkChat } from '#support/alertsApp.ts';
import { list, trade } from '#support/callsApp.ts';
import { eachApp } from '#support/eachApp.ts';

const MINUTE = 60_000;
const app = eachApp();
beforeEach(async () => {
  list(app);
  await linkChat(app);
});

/** Quiet from now on for this many minutes. */
async function quietFor(minutes: number, change: object = {}) {
  const from = Math.floor((app.clock.now() / MINUTE) % 1440);
  const body = { active: true, from, until: (from + minutes) % 1440, zone: 'UTC', digest: 'end', ...change };
  const answer = await app.request('PUT', '/api/settings/quiet-hours', { as: 'free', body });
  return { status: answer.status, json: answer.json };
}
const rows = () =>
  app.db
    .select()
    .from(outbox)
    .orderBy(outbox.id)
    .all()
    .map(({ status, message }) => ('title' in message ? `${status} ${message.title}` : `${status} note`));
/** As a new process would. */
function digests(quietHours = app.parts.quietHours.service): void {
  sendDigests(app.services, quietHours);
}
function fire(): void {
  for (const price of [40, 51]) {
    app.clock.advance(MINUTE + 1000);
    trade(app, 'BHP', price);
  }
}
const toChat = { destinations: { telegram: true } };

test('quiet hours belong to each user, are off at first, and explain a refusal', async () => {
  expect((await app.request('GET', '/api/settings/quiet-hours', {})).status).toBe(401);
  const read = await app.request('GET', '/api/settings/quiet-hours', { as: 'free' });
  expect(read.json).toEqual({
    active: false,
    from: 1260,
    until: 420,
    zone: 'Australia/Sydney',
    digest: 'end',
    waiting: 0,
  });
  expect(await quietFor(60, { zone: 'Nowhere/Atall' })).toMatchObject({
    status: 400,
    json: { error: 'Choose a time zone such as Australia/Perth.' },
  });
  await quietFor(60);
  const others = await app.request('GET', '/api/settings/quiet-hours', { as: 'premium' });
  expect(others.json).toMatchObject({ active: false });
});

test('quiet hours combine messages into one at their end, in order, and the history shows that', async () => {
  await quietFor(60);
  await addAlert(app, toChat);
  fire();
  fire();
  expect(rows()).toEqual(['held note', 'held note']);
  digests();
  expect(rows()).toEqual(['held note', 'held note']);
  app.clock.advance(60 * MINUTE);
  // Alerts that fire before the digest is written are held too.
  fire();
  expect(rows()).toEqual(['held note', 'held note', 'held note']);
  digests();
  expect(rows()).toEqual([
    'digested note',
    'digested note',
    'digested note',
    'waiting 3 messages during quiet hours',
  ]);
  const message = app.db.select().from(outbox).all().at(-1)?.message;
  const lines = message && 'lines' in message ? message.lines : [];
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^\d\d:\d\d · BHP 51.00 .+ · last 51.00 above 50.00/);
  const ids = app.db
    .select()
    .from(alertTriggers)
    .all()
    .map(({ id }) => id);
  const delivery = () => [...app.parts.outbox.service.deliveryOf(ids).values()];
  expect(delivery()).toEqual(['waiting', 'waiting', 'waiting']);
  app.db.$client.run("UPDATE outbox SET status = 'sent' WHERE status = 'waiting'");
  expect(delivery()).toEqual(['sent', 'sent', 'sent']);
  // Afterwards messages are sent normally again.
  fire();
  expect(rows().at(-1)).toBe('waiting note');
});

test('quiet hours do not hold urgent messages', async () => {
  await quietFor(60);
  await addAlert(app, { ...toChat, urgent: true });
  await addAlert(app, { ...toChat, name: 'Other', logic_json: lastAbove(50.5) });
  fire();
  expect(rows().sort()).toEqual(['held note', 'waiting note']);
});

test('quiet hours survive a restart: held messages are then sent, and later ones stay behind them', async () => {
  await quietFor(60);
  await addAlert(app, toChat);
  fire();
  const next = new QuietHoursOf(quietHoursStore(app.db), app.clock);
  expect(next.of((await app.user('free')).id)).toMatchObject({ active: true, zone: 'UTC' });
  expect(next.waitingUsers()).toHaveLength(1);
  app.clock.advance(60 * MINUTE);
  digests(next);
  digests(next);
  expect(rows()).toEqual(['digested note', 'waiting One message during quiet hours']);
  expect(next.waitingUsers()).toEqual([]);
});

test('quiet hours fail held messages of a chat that was unlinked', async () => {
  await quietFor(60);
  await addAlert(app, toChat);
  fire();
  app.db.delete(linkedChats).run();
  app.clock.advance(61 * MINUTE);
  digests();
  expect(rows()).toEqual(['failed note']);
});
