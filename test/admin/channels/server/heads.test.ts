import { afterEach, beforeEach, expect, test } from 'bun:test';
import { channelMessages } from '../../../../src/platform/db/administrationSchema.ts';
import { outbox } from '../../../../src/platform/db/alertSchema.ts';
import type { Db } from '../../../../src/platform/db/open.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { list, submit } from '../../../support/callsApp.ts';
import {
  addChannel,
  BOTH_BOTS,
  changeChannel,
  channelsApp,
  TELEGRAM_ID,
} from '../../../support/channelsApp.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { createFakeClock, type TestApp } from '../../../support/testApp.ts';
import { wholeMessage } from '../../../support/wholeMessage.ts';

/** A Sunday, and the day after it. */
const [DAY, NEXT] = ['2026-11-22', '2026-11-23'];
const at = (date: string, hour: number, minute = 0): number => fromSydney(date, hour, minute);

let db: Db;
let app: TestApp;

/** The server from a moment on; what it holds comes from the database. */
function begin(now: number, env: Record<string, string> = BOTH_BOTS): void {
  app = channelsApp({ db, clock: createFakeClock(now), env });
  list(app);
}

/** Looks as the running server does every few seconds. */
function look(): void {
  app.parts.channels.start();
  app.parts.channels.stop();
}

const told = () =>
  db
    .select()
    .from(outbox)
    .all()
    .map((row) => ({ ...wholeMessage(db, row), chatId: row.chatId }))
    .filter(({ title }) => title.startsWith('Ledger'));

beforeEach(() => {
  db = openMemoryDb();
  begin(at(DAY, 11));
});
afterEach(() => {
  app.close();
  db.$client.close();
});

test('the head goes to subscribed channels once a day at 19:00, whole, with where to verify it', async () => {
  app.close();
  begin(at(DAY, 11), { ...BOTH_BOTS, BELLBIRD_PUBLIC_URL: 'https://bellbird.example' });
  await addChannel(app);
  const { id } = await addChannel(app, { name: 'Quiet', platform: 'telegram', chatId: TELEGRAM_ID });
  await changeChannel(app, id, { subscribed: 0 });
  await submit(app);
  app.clock.set(at(DAY, 18, 59));
  look();
  expect(told()).toEqual([]);
  app.clock.set(at(DAY, 19));
  look();
  look();
  const head = app.parts.calls.service.ledger.head();
  expect(told()).toMatchObject([
    {
      chatId: '1234567890123456789',
      title: 'Ledger of calls · Sunday 22 November 2026',
      lines: [`Line and hash: 1 ${head?.hash}`, expect.stringContaining('nothing up to that line')],
      link: { url: 'https://bellbird.example/#/calls/ledger' },
    },
  ]);
  await submit(app);
  app.clock.set(at(NEXT, 19, 5));
  look();
  expect(told()).toHaveLength(2);
});

test('a restart tells no head again, and tells one that was due while the server was off that day', async () => {
  await addChannel(app);
  await submit(app);
  for (const [date, hour, count] of [
    [DAY, 19, 1],
    [DAY, 23, 1],
    [NEXT, 22, 2],
    [NEXT, 23, 2],
  ] as const) {
    app.close();
    begin(at(date, hour));
    look();
    expect(told()).toHaveLength(count);
  }
});

test('nothing is told of an empty ledger, to a channel without a bot, or on the day that a channel was added later', async () => {
  await addChannel(app);
  app.clock.set(at(DAY, 20));
  look();
  expect(told()).toEqual([]);
  await submit(app);
  await addChannel(app, { name: 'Late', platform: 'telegram', chatId: TELEGRAM_ID });
  app.close();
  begin(at(DAY, 20), { BELLBIRD_DISCORD_TOKEN: '' });
  look();
  expect(told()).toEqual([]);
  app.close();
  begin(at(DAY, 21));
  look();
  expect(told()).toHaveLength(1);
});

test('a message that can’t be written is no note, and is tried again; notes go after a month', async () => {
  await addChannel(app);
  await submit(app);
  app.clock.set(at(DAY, 19));
  db.$client.run(
    `CREATE TRIGGER full BEFORE INSERT ON channel_messages BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  look();
  expect(told()).toEqual([]);
  expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  db.$client.run('DROP TRIGGER full');
  look();
  expect(told()).toHaveLength(1);
  app.clock.set(at('2026-12-24', 19));
  look();
  const dates = db
    .select()
    .from(channelMessages)
    .all()
    .map(({ headDate }) => headDate);
  expect(dates).toEqual(['2026-12-24']);
});
