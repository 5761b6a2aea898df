import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { channelMessages } from '#src/tables/administrationSchema.ts';
import { outbox } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { list, submit } from '#support/callsApp.ts';
import {
  addChannel,
  BOTH_BOTS,
  changeChannel,
  channelsApp,
  listChannels,
  TELEGRAM_ID,
} from '#support/channelsApp.ts';
import { createFakeClock, type TestApp } from '#support/testApp.ts';
import { wholeMessage } from '#support/wholeMessage.ts';

const DAY = '2026-11-18';
const at = (date: string, hour: number, minute = 0): number => fromSydney(date, hour, minute);

let db: Db;
let app: TestApp;

/** The server from a moment on; its data comes from the database. */
function begin(now: number, env: Record<string, string> = BOTH_BOTS): TestApp {
  app = channelsApp({ db, clock: createFakeClock(now), env });
  list(app);
  return app;
}

/** Runs the check that the running server makes every few seconds. */
function check(): void {
  app.parts.channels.start();
  app.parts.channels.stop();
}

const outgoing = () =>
  db
    .select()
    .from(outbox)
    .all()
    .map((row) => ({ ...wholeMessage(db, row), chatId: row.chatId }));
const sent = () => outgoing().map(({ chatId, title, lines }) => ({ chatId, title, lines }));
const notes = () =>
  db
    .select()
    .from(channelMessages)
    .all()
    .map(({ summaryDate, skippedReason }) => [summaryDate, skippedReason]);

beforeEach(() => {
  db = openMemoryDb();
});
afterEach(() => {
  app.close();
  db.$client.close();
});

/** A channel that has had summaries switched on since the morning. */
async function subscribed(): Promise<number> {
  begin(at(DAY, 11));
  const { id } = await addChannel(app);
  await changeChannel(app, id, { sendDaily: 1 });
  return id;
}

describe('the daily summary', () => {
  test('is sent once from 16:30 on, to channels that want it, with the known results', async () => {
    await subscribed();
    await addChannel(app, { name: 'Quiet', platform: 'telegram', chatId: TELEGRAM_ID });
    await submit(app);
    app.clock.set(at(DAY, 16, 29));
    check();
    expect(sent()).toEqual([]);
    app.clock.set(at(DAY, 16, 30));
    check();
    check();
    expect(sent()).toEqual([
      {
        chatId: '1234567890123456789',
        title: 'Market summary · Wednesday 18 November 2026 · By hand',
        lines: [
          'Pre-Market: no stocks',
          'Intra-Day < $1: no stocks',
          'Intra-Day ≥ $1: no stocks',
          'Large Cap: no stocks',
          'Calls opened: BHP by free (bought at 40.000)',
          'Calls closed: none',
          'Verified results since 16 Nov: none yet',
        ],
      },
    ]);
    expect((await listChannels(app))[0]?.summary).toMatchObject({ date: DAY, status: 'waiting' });
  });

  test('is sent by a server that starts within two hours, and not again after a restart', async () => {
    await subscribed();
    app.close();
    begin(at(DAY, 18, 29));
    check();
    app.close();
    begin(at(DAY, 18, 29));
    check();
    expect(sent()).toHaveLength(1);
  });

  test('is skipped after that, with a log line', async () => {
    await subscribed();
    app.close();
    begin(at('2026-11-19', 10));
    check();
    expect(sent()).toEqual([]);
    const reason = 'Bellbird was not running with this market source between 16:30 and 18:30 Sydney.';
    expect(notes().at(-1)).toEqual([DAY, reason]);
    expect(app.lines.filter(({ message }) => message === 'Skipped a daily summary')).toHaveLength(1);
  });

  test('waits for prices, and is skipped if none arrive', async () => {
    await subscribed();
    app.clock.set(at(DAY, 16, 30));
    app.source.setHealth({ healthy: false, problem: 'It does not answer.' });
    check();
    expect(sent()).toEqual([]);
    app.clock.set(at(DAY, 18, 30));
    check();
    expect(notes().at(-1)).toEqual([DAY, 'There were no current prices between 16:30 and 18:30 Sydney.']);
    expect(sent()).toEqual([]);
  });

  test('is not sent on days without trading', async () => {
    await subscribed();
    app.clock.set(at(DAY, 16, 30));
    check();
    // From Saturday to Sunday night Friday’s stays the newest.
    app.clock.set(at('2026-11-21', 17));
    check();
    app.clock.set(at('2026-11-22', 17));
    check();
    expect(sent()).toHaveLength(1);
    expect(notes().map(([date]) => date)).toEqual(['2026-11-17', DAY, '2026-11-20']);
  });

  test('starts on the next trading day if switched on after 16:30', async () => {
    begin(at(DAY, 17));
    const { id } = await addChannel(app);
    const view = await changeChannel(app, id, { sendDaily: 1 });
    expect(view.summary).toMatchObject({
      date: DAY,
      status: 'skipped',
      reason: 'The daily summary was switched on after 16:30 Sydney.',
    });
    check();
    expect(sent()).toEqual([]);
    app.clock.set(at('2026-11-19', 16, 30));
    list(app);
    check();
    expect(notes().at(-1)?.[0]).toBe('2026-11-19');
  });
});

describe('the latest ledger entry', () => {
  const [SUNDAY, MONDAY] = ['2026-11-22', '2026-11-23'];
  const heads = () => outgoing().filter(({ title }) => title.startsWith('Ledger'));
  beforeEach(() => void begin(at(SUNDAY, 11)));

  test('is sent whole to subscribed channels once a day at 19:00, with where to verify it', async () => {
    app.close();
    begin(at(SUNDAY, 11), { ...BOTH_BOTS, BELLBIRD_PUBLIC_URL: 'https://bellbird.example' });
    await addChannel(app);
    const { id } = await addChannel(app, { name: 'Quiet', platform: 'telegram', chatId: TELEGRAM_ID });
    await changeChannel(app, id, { subscribed: 0 });
    await submit(app);
    app.clock.set(at(SUNDAY, 18, 59));
    check();
    expect(heads()).toEqual([]);
    app.clock.set(at(SUNDAY, 19));
    check();
    check();
    const head = app.parts.calls.service.ledger.head();
    expect(heads()).toMatchObject([
      {
        chatId: '1234567890123456789',
        title: 'Ledger of calls · Sunday 22 November 2026',
        lines: [
          `Latest entry and hash: 1 ${head?.hash}`,
          expect.stringContaining('no entry up to it was changed'),
        ],
        link: { url: 'https://bellbird.example/#/calls/ledger' },
      },
    ]);
    await submit(app);
    app.clock.set(at(MONDAY, 19, 5));
    check();
    expect(heads()).toHaveLength(2);
  });

  test('is not sent again after a restart, but is if it was due while the server was off that day', async () => {
    await addChannel(app);
    await submit(app);
    for (const [date, hour, count] of [
      [SUNDAY, 19, 1],
      [SUNDAY, 23, 1],
      [MONDAY, 22, 2],
      [MONDAY, 23, 2],
    ] as const) {
      app.close();
      begin(at(date, hour));
      check();
      expect(heads()).toHaveLength(count);
    }
  });

  test('is not sent for an empty ledger, to a channel without a bot, or on the day a channel was added later', async () => {
    await addChannel(app);
    app.clock.set(at(SUNDAY, 20));
    check();
    expect(heads()).toEqual([]);
    await submit(app);
    await addChannel(app, { name: 'Late', platform: 'telegram', chatId: TELEGRAM_ID });
    app.close();
    begin(at(SUNDAY, 20), { BELLBIRD_DISCORD_TOKEN: '' });
    check();
    expect(heads()).toEqual([]);
    app.close();
    begin(at(SUNDAY, 21));
    check();
    expect(heads()).toHaveLength(1);
  });

  test('is retried if the message cannot be written; sent hashes are forgotten after a month', async () => {
    await addChannel(app);
    await submit(app);
    app.clock.set(at(SUNDAY, 19));
    db.$client.run(
      `CREATE TRIGGER full BEFORE INSERT ON channel_messages BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    check();
    expect(heads()).toEqual([]);
    expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    db.$client.run('DROP TRIGGER full');
    check();
    expect(heads()).toHaveLength(1);
    app.clock.set(at('2026-12-24', 19));
    check();
    const dates = db
      .select()
      .from(channelMessages)
      .all()
      .map(({ headDate }) => headDate);
    expect(dates).toEqual(['2026-12-24']);
  });
});
