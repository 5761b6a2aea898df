import { expect, test } from 'bun:test';
import { alerts, alertTriggers, linkedChats } from '#src/tables/alertSchema.ts';
import { type Db, openMemoryDb } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { createMessageMaker } from '#subjects/alerts/server/messages.ts';
import { appOf } from '#support/appOf.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import { anAlert, storeTrigger } from '#support/aTrigger.ts';
import { createOutboxFixture, turn } from '#support/outboxFixture.ts';

const CHAT = '4711';
const SENT = 'BHP 50.61\nlast crossed above 50.50 · 10:42 Sydney\nBreakout';

/** A user with a confirmed chat whose alert has fired. */
function fireAlert(db: Db): void {
  db.insert(users).values({ username: 'a', usernameKey: 'a', passwordHash: '-', createdAt: 0 }).run();
  db.insert(linkedChats)
    .values({ userId: 1, platform: 'telegram', chatId: CHAT, createdAt: 0, confirmedAt: 0 })
    .run();
  const { destinations, ...alert } = anAlert();
  db.insert(alerts)
    .values({ ...alert, ...destinations, createdAt: 0, updatedAt: 0 })
    .run();
  storeTrigger(db, {});
}

const noted: NewMessage = {
  platform: 'telegram',
  chatId: CHAT,
  userId: 1,
  triggerId: 1,
  note: {
    title: 'BHP 50.61',
    name: 'Breakout',
    stoppedReason: null,
    label: 'Live',
    note: null,
    isUntilOpen: false,
  },
};

/** An outbox with the stored message of a trigger. */
function createNoted({ isDamaged = false } = {}) {
  const db = openMemoryDb();
  const lines: LogLine[] = [];
  const log = createLog((line) => lines.push(line));
  fireAlert(db);
  if (isDamaged) db.$client.run("update alert_triggers set seen = '{'");
  const messageOf = createMessageMaker(appOf({ db, config: { publicUrl: null }, log }));
  const fixture = createOutboxFixture({ db, messageOf });
  fixture.outbox.service.add([noted]);
  return { ...fixture, lines };
}

test('a repeated message has the original text, whatever changed since', async () => {
  const { db, hand, outbox: part, telegram } = createNoted();
  telegram.setMishap(() => 'cutAccepted');
  part.start();
  await turn(hand, 1500);
  telegram.setMishap(() => 'none');
  db.update(alertTriggers).set({ seen: [] }).run();
  await turn(hand, 600_000, () => telegram.arrivals.length > 1);
  const [first, second] = telegram.arrivals;
  expect(first?.text).toBe(SENT);
  expect(second?.text).toContain(SENT.split('\n')[1] ?? '-');
  await part.stop();
});

test('a message that cannot be built in full is sent in short form and logged', async () => {
  const { hand, outbox: part, telegram, lines } = createNoted({ isDamaged: true });
  part.start();
  await turn(hand, 2000);
  expect(telegram.arrivals.map(({ text }) => text)).toEqual(['BHP 50.61\nThe alert fired.']);
  expect(lines.map(({ level }) => level)).toEqual(['error']);
  await part.stop();
});
