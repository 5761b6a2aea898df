import { afterEach, describe, expect, test } from 'bun:test';
import { calendarReminders } from '../../../../src/platform/db/calendarSchema.ts';
import { linkedChats, outbox } from '../../../../src/platform/db/alertSchema.ts';
import { users } from '../../../../src/platform/db/schema.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { type CalendarApp, createCalendarApp, eventIn } from '../../../support/calendarApp.ts';
import { createFakeClock, START } from '../../../support/testApp.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import { wholeMessage } from '../../../support/wholeMessage.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BOTH = { before: true, figure: true };

let app: CalendarApp;
afterEach(() => app.close());

/** Links a confirmed chat to a user. */
function link(userId: number, chatId: string, platform: 'telegram' | 'discord' = 'telegram'): void {
  const confirmedAt = START;
  app.db.insert(linkedChats).values({ userId, platform, chatId, createdAt: START, confirmedAt }).run();
}

async function begin(options: Parameters<typeof createCalendarApp>[0] = {}): Promise<void> {
  app = await createCalendarApp(options);
  link((await app.user('free')).id, '1001');
}

const ask = async (id: string, body = BOTH): Promise<void> => {
  const answer = await app.request('PUT', `/api/calendar/reminders/${id}`, { as: 'free', body });
  expect(answer).toMatchObject({ status: 200, json: { note: null } });
};

/** The titles of all messages so far, in order. */
const told = (): string[] =>
  app.db
    .select()
    .from(outbox)
    .orderBy(outbox.id)
    .all()
    .map((row) => wholeMessage(app.db, row).title);

function pass(ms: number): void {
  app.clock.advance(ms);
  app.tick.run();
}

const COMING = 'AUD Consumer Price Index (YoY) in 5 min';
const FIGURE = 'AUD Consumer Price Index (YoY): 2.7%';

describe('a reminder', () => {
  test('is told five minutes before, and with the figure, once each', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }));
    await ask('a');
    pass(24 * MINUTE);
    expect(told()).toEqual([]);
    pass(MINUTE);
    expect(told()).toEqual([COMING]);
    for (let at = 0; at < 6; at += 1) pass(MINUTE);
    app.events(eventIn(30, { id: 'a', actual: 2.7 }));
    expect(told()).toEqual([COMING, FIGURE]);
    app.events(eventIn(30, { id: 'a', actual: 2.8, revised: 2.4 }));
    pass(MINUTE);
    expect(told()).toEqual([COMING, FIGURE]);
  });

  test('goes to every confirmed chat of its user, and to nobody else', async () => {
    await begin();
    const { id } = await app.user('free');
    link(id, '1002', 'discord');
    link((await app.user('basic')).id, '2001');
    app.events(eventIn(30, { id: 'a' }));
    await ask('a');
    pass(25 * MINUTE);
    const chats = app.db.select().from(outbox).all();
    expect(chats.map(({ platform, chatId, userId }) => [platform, chatId, userId])).toEqual([
      ['telegram', '1001', id],
      ['discord', '1002', id],
    ]);
  });

  test('of which only one is wished tells only that', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }), eventIn(30, { id: 'b' }));
    await ask('a', { before: true, figure: false });
    await ask('b', { before: false, figure: true });
    pass(25 * MINUTE);
    expect(told()).toEqual([COMING]);
    app.events(eventIn(30, { id: 'a', actual: 1 }), eventIn(30, { id: 'b', actual: 2.7 }));
    expect(told()).toEqual([COMING, FIGURE]);
  });

  test('set one second before is told with the next tick', async () => {
    await begin();
    app.events(eventIn(1, { id: 'a' }));
    app.clock.advance(59_000);
    await ask('a', { before: true, figure: false });
    app.tick.run();
    expect(told()).toEqual(['AUD Consumer Price Index (YoY) in 1 s']);
    pass(1000);
    expect(told()).toHaveLength(1);
  });

  test('switched off and on again is a new one', async () => {
    await begin();
    app.events(eventIn(4, { id: 'a' }));
    await ask('a');
    app.tick.run();
    await ask('a', { before: false, figure: true });
    app.tick.run();
    expect(told()).toHaveLength(1);
    await ask('a');
    app.tick.run();
    expect(told()).toHaveLength(2);
  });
});

describe('an event with reminders', () => {
  test('that moves takes them along, by minutes or by a day', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }));
    await ask('a', { before: true, figure: false });
    app.events(eventIn(50, { id: 'a' }));
    pass(30 * MINUTE);
    expect(told()).toEqual([]);
    pass(15 * MINUTE);
    expect(told()).toEqual([COMING]);
    app.events(eventIn(24 * 60, { id: 'a' }));
    pass(MINUTE);
    pass(23 * HOUR);
    expect(told()).toEqual([COMING]);
    pass(10 * MINUTE);
    expect(told()).toHaveLength(2);
  });

  test('that is gone tells nobody, and tells when it is back', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }));
    await ask('a');
    app.calendar.sink().replace({ from: 0, until: 9e15 }, []);
    pass(26 * MINUTE);
    expect(told()).toEqual([]);
    app.events(eventIn(30, { id: 'a' }));
    expect(told()).toEqual(['AUD Consumer Price Index (YoY) in 4 min']);
  });

  test('is told once though the clock steps back and forth', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }));
    await ask('a');
    pass(26 * MINUTE);
    for (const at of [START, START + 26 * MINUTE, START - HOUR, START + 27 * MINUTE]) {
      app.clock.set(at);
      app.tick.run();
    }
    expect(told()).toHaveLength(1);
  });

  test('is told at any speed of its clock', async () => {
    await begin();
    app.events(eventIn(30, { id: 'a' }), eventIn(10, { id: 'b' }));
    await ask('a');
    await ask('b');
    // A tick is a minute of the market at speed 60; a night is skipped at once.
    for (let at = 0; at < 30; at += 1) pass(MINUTE);
    app.events(eventIn(10, { id: 'b', actual: 2.7 }));
    pass(12 * HOUR);
    app.events(eventIn(30, { id: 'a', actual: 2.7 }));
    expect(told()).toEqual([COMING, COMING, FIGURE, FIGURE]);
  });
});

describe('after a restart', () => {
  const restart = async (minutes: number): Promise<void> => {
    const { db } = app;
    await app.parts.calendar.stop();
    app = await createCalendarApp({ db, clock: createFakeClock(START + minutes * MINUTE) });
  };

  test.each([
    [24, [], [COMING]],
    [27, ['AUD Consumer Price Index (YoY) in 3 min'], []],
    [31, ['AUD Consumer Price Index (YoY) was due'], []],
    [41, [], []],
  ])('%d minutes later: at once %p, then %p', async (minutes, atOnce, then) => {
    await begin({ db: openMemoryDb() });
    app.events(eventIn(30, { id: 'a' }));
    await ask('a', { before: true, figure: false });
    await restart(minutes);
    app.tick.run();
    expect(told()).toEqual(atOnce);
    pass(MINUTE);
    expect(told()).toEqual([...atOnce, ...then]);
  });

  test('nothing is told twice, and the figure that came meanwhile is told', async () => {
    await begin({ db: openMemoryDb() });
    app.events(eventIn(30, { id: 'a' }));
    await ask('a');
    pass(26 * MINUTE);
    await restart(27);
    app.tick.run();
    expect(told()).toHaveLength(1);
    await restart(45);
    app.events(eventIn(30, { id: 'a', actual: 2.7 }));
    await restart(46);
    app.tick.run();
    expect(told().slice(1)).toEqual([FIGURE]);
  });
});

describe('when something goes wrong', () => {
  test('a mark without its message is never written, and the next tick tells it', async () => {
    await begin();
    app.events(eventIn(4, { id: 'a' }));
    await ask('a');
    app.db.$client.run(
      'create trigger refuse before insert on outbox begin select raise(abort, "full"); end',
    );
    app.tick.run();
    app.tick.run();
    expect(app.db.select().from(calendarReminders).all()).toMatchObject([{ beforeToldAt: null }]);
    expect(app.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    app.db.$client.run('drop trigger refuse');
    app.tick.run();
    expect(told()).toHaveLength(1);
    expect(app.db.select().from(calendarReminders).all()).toMatchObject([
      { beforeToldAt: START, figureToldAt: null },
    ]);
  });

  test('who has no chat keeps nobody waiting', async () => {
    await begin();
    app.events(eventIn(4, { id: 'a' }));
    const answer = await app.request('PUT', '/api/calendar/reminders/a', { as: 'basic', body: BOTH });
    expect(answer.json).toMatchObject({ note: 'No chat or device gets reminders yet: add one in Settings.' });
    await ask('a');
    app.tick.run();
    expect(told()).toHaveLength(1);
  });

  test('a thousand people are told within moments, in slices', async () => {
    await begin();
    app.events(eventIn(4, { id: 'a' }));
    const { db } = app;
    db.transaction(() => {
      for (let at = 0; at < 1000; at += 1) {
        const name = `u${at}`;
        const row = { username: name, usernameKey: name, passwordHash: '', createdAt: START };
        const userId = db.insert(users).values(row).returning({ id: users.id }).get().id;
        link(userId, String(5000 + at));
        db.insert(calendarReminders)
          .values({
            userId: userId,
            source: 'hand',
            eventId: 'a',
            before: true,
            figure: false,
            createdAt: START,
          })
          .run();
      }
    });
    await app.parts.calendar.stop();
    await app.parts.calendar.start();
    app.tick.run();
    expect(told().length).toBeLessThanOrEqual(50);
    const isTold = (): boolean => told().length === 1000;
    await waitUntil('all are told', isTold);
    expect(told()).toHaveLength(1000);
  });
});
