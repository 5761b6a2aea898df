import { describe, expect, test } from 'bun:test';
import { MAX_REMINDERS } from '../../../../src/subjects/calendar/rules/reminders.ts';
import { type CalendarApp, createCalendarApp, eventIn } from '../../../support/calendarApp.ts';
import { createHandCalendar } from '../../../support/handCalendar.ts';
import { scenarios } from '../../../support/scenario.ts';
import { createFakeClock, createTestApp, ROLES, type TestApp } from '../../../support/testApp.ts';

const URL = '/api/calendar/reminders';
const BOTH = { before: true, figure: true };
const NOTE = 'No chat or device gets reminders yet: add one in Settings.';

/** What the scenarios run on: a calendar on a clock of its own, with events of each kind. */
function withEvents() {
  const clock = createFakeClock();
  const calendar = createHandCalendar(clock);
  return {
    app: { clock, runtime: { calendar } },
    async setup(app: TestApp): Promise<void> {
      await app.parts.calendar.start();
      calendar
        .sink()
        .apply([
          eventIn(30, { id: 'cpi' }),
          eventIn(30, { id: 'odd/id?x=1#%' }),
          eventIn(30, { id: 'speech', isSpeech: true }),
          eventIn(30, { id: 'report', isReport: true }),
          eventIn(0, { id: 'holiday', dateUtc: '2026-11-18T00:00:00Z', isAllDay: true }),
          eventIn(-1, { id: 'awaited' }),
          eventIn(-90, { id: 'never came' }),
          eventIn(-1, { id: 'out', actual: 2.5 }),
          eventIn(0, { id: 'begins now', isSpeech: true }),
        ]);
    },
    after: (app: TestApp) => app.parts.calendar.stop(),
  };
}

const put = (eventId: string) => ({ method: 'PUT', url: `${URL}/${encodeURIComponent(eventId)}` }) as const;

describe('PUT /api/calendar/reminders/:eventId', () => {
  scenarios([
    { ...withEvents(), ...put('cpi'), name: 'guest', body: BOTH, status: 401 },
    ...(['free', 'basic', 'premium', 'admin'] as const).map((as) => ({
      ...withEvents(),
      ...put('cpi'),
      name: `${as} user asks for both, without a chat`,
      as,
      body: BOTH,
      status: 200,
      json: { eventId: 'cpi', ...BOTH, note: NOTE },
    })),
    ...[
      { id: 'cpi', body: { before: true, figure: false } },
      { id: 'cpi', body: { before: false, figure: true } },
      { id: 'cpi', body: { before: false, figure: false }, note: null },
      { id: 'odd/id?x=1#%', body: BOTH },
      { id: 'speech', body: { before: true, figure: false } },
      // Its time is past, but its figure is not there yet.
      { id: 'awaited', body: BOTH },
    ].map(({ id, body, note = NOTE }) => ({
      ...withEvents(),
      ...put(id),
      name: `${id}: ${JSON.stringify(body)} is taken`,
      as: 'free' as const,
      body,
      status: 200,
      json: { eventId: id, ...body, note },
    })),
    ...[
      { id: 'gone', body: BOTH, status: 404, error: 'That event is not in the calendar any more.' },
      {
        id: 'gone',
        body: { before: false, figure: false },
        status: 404,
        error: 'That event is not in the calendar any more.',
      },
      { id: 'out', body: BOTH, status: 400, error: 'This event is over.' },
      { id: 'awaited', body: { before: true, figure: false }, status: 400, error: 'This event is over.' },
      { id: 'never came', body: BOTH, status: 400, error: 'This event is over.' },
      { id: 'begins now', body: { before: true, figure: false }, status: 400, error: 'This event is over.' },
      {
        id: 'holiday',
        body: { before: true, figure: false },
        status: 400,
        error: 'This event lasts all day, so there is no time to remind you of.',
      },
    ].map(({ id, body, status, error }) => ({
      ...withEvents(),
      ...put(id),
      name: `${id}: ${JSON.stringify(body)} is refused`,
      as: 'free' as const,
      body,
      status,
      json: { error },
    })),
    ...['speech', 'report'].map((id) => ({
      ...withEvents(),
      ...put(id),
      name: `the figure of a ${id}`,
      as: 'free' as const,
      body: BOTH,
      status: 400,
      json: { error: 'This event has no figure.', field: 'figure' },
    })),
    ...[{}, { before: true }, { before: 'yes', figure: true }, { before: null, figure: null }, []].map(
      (body) => ({
        ...withEvents(),
        ...put('cpi'),
        name: `what is no choice: ${JSON.stringify(body)}`,
        as: 'free' as const,
        body,
        status: 400,
      }),
    ),
    { ...withEvents(), ...put('x'.repeat(101)), name: 'an id too long', as: 'free', body: BOTH, status: 400 },
    { ...withEvents(), ...put('__proto__'), name: 'an id that is none', as: 'free', body: BOTH, status: 404 },
  ]);
});

async function within(work: (app: CalendarApp) => Promise<void>): Promise<void> {
  const app = await createCalendarApp();
  try {
    await work(app);
  } finally {
    app.close();
  }
}

const ask = (app: CalendarApp, id: string, body: unknown = BOTH, as: 'free' | 'basic' = 'free') =>
  app.request('PUT', `${URL}/${id}`, { as, body });
const list = async (app: CalendarApp, as: 'free' | 'basic' = 'free') =>
  (await app.request('GET', URL, { as })).json;

describe('GET /api/calendar/reminders', () => {
  for (const role of ROLES) {
    test(`${role}: ${role === 'guest' ? 'refused' : 'none yet'}`, () =>
      within(async (app) => {
        const answer = await app.request('GET', URL, { as: role });
        if (role === 'guest') expect(answer.status).toBe(401);
        else expect([answer.status, answer.json]).toEqual([200, { reminders: [] }]);
      }));
  }

  test('lists one’s own on events that are in the calendar, as they were set last', () =>
    within(async (app) => {
      app.events(eventIn(30, { id: 'a' }), eventIn(40, { id: 'b' }), eventIn(50, { id: 'c' }));
      for (const id of ['a', 'b', 'c']) await ask(app, id);
      await ask(app, 'a', { before: true, figure: false });
      await ask(app, 'b', { before: false, figure: false });
      await ask(app, 'c', BOTH, 'basic');
      app.calendar.sink().replace({ from: 0, until: 9e15 }, [eventIn(30, { id: 'a' })]);
      expect(await list(app)).toEqual({ reminders: [{ eventId: 'a', before: true, figure: false }] });
      expect(await list(app, 'basic')).toEqual({ reminders: [] });
    }));

  test('a reminder on an event that is gone can be removed', () =>
    within(async (app) => {
      app.events(eventIn(30, { id: 'a' }));
      await ask(app, 'a');
      app.calendar.sink().replace({ from: 0, until: 9e15 }, []);
      expect((await ask(app, 'a')).status).toBe(404);
      const removed = await ask(app, 'a', { before: false, figure: false });
      expect(removed.json).toEqual({ eventId: 'a', before: false, figure: false, note: null });
    }));
});

describe('limits', () => {
  test('a user waits for so many events at most; what is over does not count', () =>
    within(async (app) => {
      const many = Array.from({ length: MAX_REMINDERS + 1 }, (_, at) => eventIn(30 + at, { id: `e${at}` }));
      app.events(...many);
      for (let at = 0; at < MAX_REMINDERS; at += 1) expect((await ask(app, `e${at}`)).status).toBe(200);
      const refused = await ask(app, `e${MAX_REMINDERS}`);
      expect([refused.status, refused.json]).toEqual([
        400,
        { error: `You already have ${MAX_REMINDERS} reminders. Remove one first.` },
      ]);
      expect((await ask(app, 'e0', { before: true, figure: false })).status).toBe(200);
      expect((await ask(app, 'e0', BOTH, 'basic')).status).toBe(200);
      app.events({ ...eventIn(30, { id: 'e1' }), actual: 1 });
      app.clock.advance(31 * 60_000);
      expect((await ask(app, `e${MAX_REMINDERS}`)).status).toBe(200);
    }));

  test('changes are limited in a minute', () =>
    within(async (app) => {
      app.events(eventIn(30, { id: 'a' }));
      for (let at = 0; at < 120; at += 1) await ask(app, 'a');
      const refused = await ask(app, 'a');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('60');
    }));
});

test('where the calendar is switched off there are no events to be reminded of', async () => {
  const app = createTestApp({ env: { BELLBIRD_CALENDAR: 'off' } });
  expect((await app.request('GET', URL, { as: 'free' })).json).toEqual({ reminders: [] });
  expect((await app.request('PUT', `${URL}/a`, { as: 'free', body: BOTH })).status).toBe(404);
  expect(app.parts.calendar.service.info()).toBeNull();
  app.close();
});
