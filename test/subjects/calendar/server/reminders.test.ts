import { calendarReminders } from '#src/tables/calendarSchema.ts';
import { MAX_REMINDERS } from '#subjects/calendar/rules/reminderMessage.ts';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { linkedChats, outbox } from '#src/tables/alertSchema.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { type CalendarApp, createCalendarApp, eventIn } from '#support/calendarApp.ts';
import { createFakeClock, START } from '#support/testApp.ts';
import { wholeMessage } from '#support/wholeMessage.ts';

describe('reminder messages', () => {
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
  const marks = (): string[] =>
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
    test('is sent five minutes before the event and with the figure, once each', async () => {
      await begin();
      app.events(eventIn(30, { id: 'a' }));
      await ask('a');
      pass(24 * MINUTE);
      expect(marks()).toEqual([]);
      pass(MINUTE);
      expect(marks()).toEqual([COMING]);
      for (let at = 0; at < 6; at += 1) pass(MINUTE);
      app.events(eventIn(30, { id: 'a', actual: 2.7 }));
      expect(marks()).toEqual([COMING, FIGURE]);
      app.events(eventIn(30, { id: 'a', actual: 2.8, revised: 2.4 }));
      pass(MINUTE);
      expect(marks()).toEqual([COMING, FIGURE]);
    });

    test('goes to every confirmed chat of its user, and to no other user', async () => {
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
  });

  describe('an event with reminders', () => {
    test('keeps them when it moves, by minutes or by a day', async () => {
      await begin();
      app.events(eventIn(30, { id: 'a' }));
      await ask('a', { before: true, figure: false });
      app.events(eventIn(50, { id: 'a' }));
      pass(30 * MINUTE);
      expect(marks()).toEqual([]);
      pass(15 * MINUTE);
      expect(marks()).toEqual([COMING]);
      app.events(eventIn(24 * 60, { id: 'a' }));
      pass(MINUTE);
      pass(23 * HOUR);
      expect(marks()).toEqual([COMING]);
      pass(10 * MINUTE);
      expect(marks()).toHaveLength(2);
    });

    test('notifies once although the clock steps back and forth', async () => {
      await begin();
      app.events(eventIn(30, { id: 'a' }));
      await ask('a');
      pass(26 * MINUTE);
      for (const at of [START, START + 26 * MINUTE, START - HOUR, START + 27 * MINUTE]) {
        app.clock.set(at);
        app.tick.run();
      }
      expect(marks()).toHaveLength(1);
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
    ])('%d minutes later: sends %p, then %p', async (minutes, atOnce, then) => {
      await begin({ db: openMemoryDb() });
      app.events(eventIn(30, { id: 'a' }));
      await ask('a', { before: true, figure: false });
      await restart(minutes);
      app.tick.run();
      expect(marks()).toEqual(atOnce);
      pass(MINUTE);
      expect(marks()).toEqual([...atOnce, ...then]);
    });

    test('nothing is sent twice, and a figure from the downtime is sent', async () => {
      await begin({ db: openMemoryDb() });
      app.events(eventIn(30, { id: 'a' }));
      await ask('a');
      pass(26 * MINUTE);
      await restart(27);
      app.tick.run();
      expect(marks()).toHaveLength(1);
      await restart(45);
      app.events(eventIn(30, { id: 'a', actual: 2.7 }));
      await restart(46);
      app.tick.run();
      expect(marks().slice(1)).toEqual([FIGURE]);
    });
  });

  test('a failed message leaves no mark, and the next tick sends it', async () => {
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
    expect(marks()).toHaveLength(1);
    expect(app.db.select().from(calendarReminders).all()).toMatchObject([
      { beforeToldAt: START, figureToldAt: null },
    ]);
  });
});

describe('requests', () => {
  const URL = '/api/calendar/reminders';
  const BOTH = { before: true, figure: true };
  const NOTE = 'No chat or device receives reminders yet. Add one in Settings.';

  let app: CalendarApp;
  beforeEach(async () => {
    app = await createCalendarApp();
  });
  afterEach(() => app.close());

  const ask = (id: string, body: unknown = BOTH, as: 'free' | 'basic' = 'free') =>
    app.request('PUT', `${URL}/${id}`, { as, body });
  const list = async (as: 'free' | 'basic' = 'free') => (await app.request('GET', URL, { as })).json;

  test('PUT /api/calendar/reminders/:eventId stores possible reminders and explains a refusal', async () => {
    app.events(
      eventIn(30, { id: 'odd/id?x=1#%' }),
      eventIn(30, { id: 'speech', isSpeech: true }),
      eventIn(0, { id: 'holiday', dateUtc: '2026-11-18T00:00:00Z', isAllDay: true }),
      // Its time is past, but its figure is not there yet.
      eventIn(-1, { id: 'awaited' }),
      eventIn(-90, { id: 'never came' }),
    );
    const before = { before: true, figure: false };
    const cases: [id: string, body: unknown, status: number, answer?: object][] = [
      ['odd/id?x=1#%', BOTH, 200, { eventId: 'odd/id?x=1#%', ...BOTH, note: NOTE }],
      ['odd/id?x=1#%', { before: false, figure: false }, 200, { note: null }],
      ['speech', before, 200],
      ['speech', BOTH, 400, { error: 'This event has no figure.', field: 'figure' }],
      ['awaited', BOTH, 200],
      ['awaited', before, 400, { error: 'This event is over.' }],
      ['never came', BOTH, 400, { error: 'This event is over.' }],
      ['holiday', before, 400],
      ['gone', BOTH, 404, { error: 'That event is no longer in the calendar.' }],
      ['__proto__', BOTH, 404],
      ['x'.repeat(101), BOTH, 400],
      ['speech', { before: true }, 400],
      ['speech', { before: 'yes', figure: true }, 400],
      ['speech', [], 400],
    ];
    for (const [id, body, status, answer = {}] of cases) {
      const { status: answered, json } = await ask(encodeURIComponent(id), body);
      expect({ id, body, status: answered, json }).toMatchObject({ id, body, status, json: answer });
    }
  });

  describe('GET /api/calendar/reminders', () => {
    test('lists the user’s own reminders of current events, as last set', async () => {
      app.events(eventIn(30, { id: 'a' }), eventIn(40, { id: 'b' }), eventIn(50, { id: 'c' }));
      for (const id of ['a', 'b', 'c']) await ask(id);
      await ask('a', { before: true, figure: false });
      await ask('b', { before: false, figure: false });
      await ask('c', BOTH, 'basic');
      app.calendar.sink().replace({ from: 0, until: 9e15 }, [eventIn(30, { id: 'a' })]);
      expect(await list()).toEqual({ reminders: [{ eventId: 'a', before: true, figure: false }] });
      expect(await list('basic')).toEqual({ reminders: [] });
    });

    test('limits the number of events per user, without past ones', async () => {
      const many = Array.from({ length: MAX_REMINDERS + 1 }, (_, at) => eventIn(30 + at, { id: `e${at}` }));
      app.events(...many);
      for (let at = 0; at < MAX_REMINDERS; at += 1) expect((await ask(`e${at}`)).status).toBe(200);
      const refused = await ask(`e${MAX_REMINDERS}`);
      expect([refused.status, refused.json]).toEqual([
        400,
        { error: `You already have ${MAX_REMINDERS} reminders. Remove one first.` },
      ]);
      expect((await ask('e0', { before: true, figure: false })).status).toBe(200);
      app.events({ ...eventIn(30, { id: 'e1' }), actual: 1 });
      app.clock.advance(31 * 60_000);
      expect((await ask(`e${MAX_REMINDERS}`)).status).toBe(200);
    });
  });
});
