import { afterEach, describe, expect, test } from 'bun:test';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { applyClosures, closureStore } from '#admin/closures/server/specialDays.ts';
import { Closures } from '#admin/closures/server/index.ts';
import { marketLabel } from '#market/rules/sessionClock.ts';
import { holdSpecialDays, isTradingDay, type SpecialDay, specialDays } from '#market/rules/tradingDay.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { scenarios } from '#support/scenario.ts';
import type { StreamMeta } from '#market/rules/stream.ts';
import { silentLog } from '#support/memoryRecording.ts';
import { createEventReader, type StreamEvent } from '#support/streamClient.ts';
import { createFakeClock, createTestApp, START, type TestApp } from '#support/testApp.ts';
import { checkSpecialDay, lateProblem, parseClosures } from '#admin/closures/rules/specialDayForm.ts';
import { appOf } from '#support/appOf.ts';

const URL = '/api/admin/market-closures';
/** A Thursday. The clock of the tests is at Wednesday 18 November 2026, 11:00 in Sydney. */
const STORM = { date: '2026-11-19', kind: 'closed', reason: 'Storm' };
const STORED = { ...STORM, closesAt: null, bySetting: false };
const BY_SETTING = { BELLBIRD_MARKET_CLOSURES: '2026-11-20 14:10 Test' };
const at = (date: string, hour: number, minute = 0) => fromSydney(date, hour, minute);
const audit = ({ db }: TestApp) =>
  db
    .select()
    .from(auditEntries)
    .all()
    .map(({ action, target, before, after, reason }) => ({ action, target, before, after, reason }));
const add = (app: TestApp) => app.request('POST', URL, { as: 'admin', body: STORM });

scenarios([
  {
    name: 'admin: no special days at first',
    method: 'GET',
    url: URL,
    as: 'admin',
    status: 200,
    json: { days: [] },
  },
  {
    name: 'admin: a missing day cannot be removed',
    method: 'DELETE',
    url: `${URL}/${STORM.date}`,
    as: 'admin',
    status: 404,
    contains: ['There is no entry for that date. Reload the list.'],
  },
  {
    name: 'admin: a day on a holiday is rejected',
    method: 'POST',
    url: URL,
    as: 'admin',
    body: { ...STORM, date: '2026-12-25' },
    status: 400,
    contains: ['already closed on that day: Christmas Day'],
    after: (app) => {
      expect(audit(app)).toEqual([]);
      expect(app.parts.closures.service.list()).toEqual([]);
    },
  },
]);

test('an added day takes effect immediately, and a removed one is a normal day again', async () => {
  const app = createTestApp();
  expect((await add(app)).json).toEqual({ days: [STORED] });
  expect(isTradingDay(STORM.date)).toBe(false);
  expect(marketLabel(at(STORM.date, 11))).toBe('Off-Hours');
  const removed = await app.request('DELETE', `${URL}/${STORM.date}`, { as: 'admin' });
  expect(removed.json).toEqual({ days: [] });
  expect(isTradingDay(STORM.date)).toBe(true);
  expect(audit(app)).toEqual([
    {
      action: 'add market closure',
      target: STORM.date,
      before: null,
      after: 'Closed',
      reason: 'Storm',
    },
    {
      action: 'remove market closure',
      target: STORM.date,
      before: 'Closed: Storm',
      after: null,
      reason: null,
    },
  ]);
  app.close();
});
describe('days from the setting', () => {
  test('are in force from the start, and only the setting removes them', async () => {
    const app = createTestApp({ env: BY_SETTING });
    app.parts.closures.start();
    expect(specialDays()).toEqual([{ date: '2026-11-20', kind: 'early', closesAt: '14:10', reason: 'Test' }]);
    const answer = await app.request('DELETE', `${URL}/2026-11-20`, { as: 'admin' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('BELLBIRD_MARKET_CLOSURES')]);
    app.close();
    expect(specialDays()).toEqual([]);
  });

  const start = (db: ReturnType<typeof openMemoryDb>, setting: string, now: number) => {
    const app = createTestApp({
      db,
      clock: createFakeClock(now),
      env: { BELLBIRD_MARKET_CLOSURES: setting },
    });
    app.parts.closures.start();
    const known = specialDays().map(({ date, kind }) => `${date} ${kind}`);
    const warned = app.lines.filter(({ message }) => message.includes('BELLBIRD_MARKET_CLOSURES'));
    app.close();
    return { known, warned: warned.length };
  };

  test('remain once they are over, whatever the setting says later; past ones are never added', () => {
    const db = openMemoryDb();
    const set = '2026-11-19 closed Storm; 2026-11-20 closed Storm; 2026-11-16 closed Earlier';
    expect(start(db, set, START)).toEqual({ known: ['2026-11-19 closed', '2026-11-20 closed'], warned: 1 });
    const friday = at('2026-11-20', 6);
    // Friday is reopened in time; Thursday is over.
    expect(start(db, '', friday)).toEqual({ known: ['2026-11-19 closed'], warned: 0 });
    expect(start(db, '2026-11-19 14:10 Storm', friday)).toEqual({ known: ['2026-11-19 closed'], warned: 1 });
    db.$client.close();
  });
});
test('a market clock ahead of the wall clock decides which days are over', () => {
  const app = createTestApp();
  const { db } = app;
  const source = { clock: { now: () => at('2026-11-19', 12), speed: 1 } };
  const service = new Closures({ ...app.services, ...appOf({ source }) }, closureStore(db));
  expect(() => service.add(1, STORM)).toThrow('has begun (07:00)');
  expect(service.list()).toEqual([]);
  app.close();
});

/** The next event of a stream. */
function eventsOf(response: Response): () => Promise<StreamEvent> {
  const events: StreamEvent[] = [];
  const read = createEventReader((event) => events.push(event));
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  return async () => {
    for (;;) {
      const next = events.shift();
      if (next && next.event !== 'ping') return next;
      const piece = await reader?.read();
      if (!piece || piece.done) throw new Error('The stream ended.');
      read(decoder.decode(piece.value, { stream: true }));
    }
  };
}

test('pages receive a change with the next tick', async () => {
  const app = createTestApp();
  const next = eventsOf(await app.open('GET', '/api/data/stream', { as: 'free' }));
  const closuresOf = ({ data }: StreamEvent) => (data as { meta: StreamMeta }).meta.closures;
  expect(closuresOf(await next())).toBeUndefined();
  await add(app);
  app.tick.run();
  expect(closuresOf(await next())).toEqual([{ ...STORM, kind: 'closed', closesAt: null }]);
  await app.request('DELETE', `${URL}/${STORM.date}`, { as: 'admin' });
  app.tick.run();
  expect(closuresOf(await next())).toEqual([]);
  app.close();
});

test('a day is in force before the server’s parts are created', () => {
  const db = openMemoryDb();
  const marketClosures = [{ date: '2026-11-19', kind: 'closed', closesAt: null, reason: 'Storm' }] as const;
  applyClosures(appOf({ config: { marketClosures }, db, log: silentLog }), START);
  expect(isTradingDay('2026-11-19')).toBe(false);
  createTestApp({ db }).close();
  expect(isTradingDay('2026-11-19')).toBe(true);
  db.$client.close();
});

const day = (change: Partial<SpecialDay> = {}): SpecialDay => ({
  date: '2026-12-01',
  kind: 'closed',
  closesAt: null,
  reason: 'Storm',
  ...change,
});
const early = (closesAt: string): SpecialDay => day({ kind: 'early', closesAt });

describe('the form for a special day', () => {
  test('is parsed', () => {
    expect(checkSpecialDay({ date: ' 2026-12-01 ', kind: 'closed', reason: ' Storm\n' })).toEqual({
      ok: true,
      value: day(),
    });
    expect(checkSpecialDay({ ...day(), kind: 'early', closesAt: '14:10' })).toEqual({
      ok: true,
      value: early('14:10'),
    });
    // A closing time has no effect with another kind.
    expect(checkSpecialDay({ ...day(), closesAt: '14:10' })).toEqual({ ok: true, value: day() });
  });

  test.each([
    [{ date: '' }, 'date', 'Enter a date as YYYY-MM-DD.'],
    [{ date: '2026-02-30' }, 'date', 'Enter a date as YYYY-MM-DD.'],
    [{ date: '2026-12-05' }, 'date', 'The market never trades on Saturdays and Sundays.'],
    [{ kind: 'open' }, 'kind', 'Choose closed, early or normal.'],
    [
      { kind: 'early', closesAt: '16:00' },
      'closesAt',
      'Enter a closing time from 10:15 to 15:59, Sydney time.',
    ],
    [
      { kind: 'early', closesAt: '10:14' },
      'closesAt',
      'Enter a closing time from 10:15 to 15:59, Sydney time.',
    ],
    [{ reason: ' ' }, 'reason', 'Enter a reason.'],
  ])('%p is rejected', (change, field, message) => {
    expect(checkSpecialDay({ ...day(), ...change })).toEqual({ ok: false, error: { field, message } });
  });
});

describe('a day can be changed', () => {
  const at = (hour: number, minute = 0, date = '2026-12-01') => fromSydney(date, hour, minute);
  const problem = (before: SpecialDay | null, after: SpecialDay | null, now: number) =>
    lateProblem('2026-12-01', { before, after }, now);

  test('not at all if it is over or far ahead', () => {
    const over = 'Tuesday 1 December 2026 is in the past. Past days cannot be changed.';
    expect(problem(null, day(), at(0, 0, '2026-12-02'))).toBe(over);
    expect(problem(day(), null, at(0, 0, '2026-12-02'))).toBe(over);
    expect(problem(null, day(), at(0, 0, '2024-11-29'))).toBe('Enter a date within the next two years.');
    expect(problem(null, day(), at(23, 59, '2026-11-30'))).toBeNull();
  });

  test('today until its session begins at 07:00', () => {
    expect(problem(null, day(), at(6, 59))).toBeNull();
    expect(problem(null, day(), at(7))).toBe(
      'That day’s session has begun (07:00). Enter an early close or a later date.',
    );
    expect(problem(null, early('14:10'), at(7))).toBeNull();
  });

  test('to an early close today while the new time is ahead and the current close has not passed', () => {
    expect(problem(null, early('14:10'), at(14, 9))).toBeNull();
    expect(problem(null, early('14:10'), at(14, 10))).toBe(
      'Enter a later closing time: it is 14:10 in Sydney.',
    );
    expect(problem(null, early('14:10'), at(16))).toBe('Trading on that day has ended.');
    expect(problem(early('14:10'), null, at(14, 9))).toBeNull();
    expect(problem(early('14:10'), null, at(14, 10))).toBe('Trading on that day has ended.');
  });
});

describe('BELLBIRD_MARKET_CLOSURES', () => {
  afterEach(() => holdSpecialDays(parseClosures, []));

  test('lists days with their kind and reason', () => {
    expect(
      parseClosures(
        '2026-12-01 closed Storm; 2026-12-24 13:00  Christmas Eve, shorter\n2027-06-14 OPEN Trial;',
      ),
    ).toEqual({
      ok: true,
      value: [
        day(),
        { date: '2026-12-24', kind: 'early', closesAt: '13:00', reason: 'Christmas Eve, shorter' },
        { date: '2027-06-14', kind: 'normal', closesAt: null, reason: 'Trial' },
      ],
    });
    expect(parseClosures(' ')).toEqual({ ok: true, value: [] });
  });
  test.each([
    ['2026-12-01', 'must be days like'],
    ['2026-12-05 closed Storm', 'has an invalid day, "2026-12-05 closed Storm": The market never trades'],
    ['2026-12-01 closed Storm; 2026-12-01 14:10 Fault', 'names 2026-12-01 twice'],
    [Array.from({ length: 201 }, () => '2026-12-01 closed Storm').join(';'), 'may have at most 200 days'],
  ])('%s is rejected', (raw, error) => {
    const parsed = parseClosures(raw);
    expect(parsed.ok ? '' : parsed.error).toContain(error);
  });
});
