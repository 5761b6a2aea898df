import { describe, expect, test } from 'bun:test';
import { auditEntries } from '../../../../src/platform/db/administrationSchema.ts';
import { applyClosures } from '../../../../src/admin/closures/server/apply.ts';
import { Closures } from '../../../../src/admin/closures/server/service.ts';
import { closureStore } from '../../../../src/admin/closures/server/store.ts';
import { marketLabel } from '../../../../src/market/rules/marketStatus.ts';
import { specialDays } from '../../../../src/market/rules/specialDays.ts';
import { fromSydney } from '../../../../src/market/rules/sydneyTime.ts';
import { isTradingDay } from '../../../../src/market/rules/tradingDay.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import { scenarios } from '../../../support/scenario.ts';
import type { StreamMeta } from '../../../../src/market/rules/stream.ts';
import { silentLog } from '../../../support/memoryRecording.ts';
import { createEventReader, type StreamEvent } from '../../../support/streamClient.ts';
import { createFakeClock, createTestApp, START, type TestApp } from '../../../support/testApp.ts';

const URL = '/api/admin/market-closures';
/** A Thursday; the tests' clock stands at Wednesday 18 November 2026, 11:00 in Sydney. */
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
const add = (app: TestApp, body: object = STORM) => app.request('POST', URL, { as: 'admin', body });
const nothingChanged = (app: TestApp) => {
  expect(audit(app)).toEqual([]);
  expect(app.parts.closures.service.list()).toEqual([]);
};

scenarios([
  {
    name: 'admin: no special days at first',
    ...{ method: 'GET', url: URL, as: 'admin', status: 200, json: { days: [] } },
  },
  {
    name: 'admin: a day that is not there can’t be removed',
    ...{ method: 'DELETE', url: `${URL}/${STORM.date}`, as: 'admin', status: 404 },
    contains: ['There is no closure of that date.'],
  },
  ...(
    [
      ['of the past', { ...STORM, date: '2026-11-17' }, 'Tuesday 17 November 2026 is over.'],
      ['of a holiday', { ...STORM, date: '2026-12-25' }, 'closed on that day already: Christmas Day'],
    ] as const
  ).map(([what, body, sentence]) => ({
    name: `admin: a day ${what} is refused`,
    ...({ method: 'POST', url: URL, as: 'admin', body, status: 400, contains: [sentence] } as const),
    after: nothingChanged,
  })),
]);

test('a day that is added is known to the rules at once, and a removed one is a usual day again', async () => {
  const app = createTestApp();
  expect((await add(app)).json).toEqual({ days: [STORED] });
  expect(isTradingDay(STORM.date)).toBe(false);
  expect(marketLabel(at(STORM.date, 11))).toBe('Off-Hours');
  const removed = await app.request('DELETE', `${URL}/${STORM.date}`, { as: 'admin' });
  expect(removed.json).toEqual({ days: [] });
  expect(isTradingDay(STORM.date)).toBe(true);
  expect(audit(app)).toEqual([
    {
      ...{ action: 'add market closure', target: STORM.date, before: null, after: 'Closed', reason: 'Storm' },
    },
    {
      ...{ action: 'remove market closure', target: STORM.date },
      ...{ before: 'Closed: Storm', after: null, reason: null },
    },
  ]);
  app.close();
});
describe('days of the setting', () => {
  test('are in force from the start, and only the setting takes them back', async () => {
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
      ...{ db, clock: createFakeClock(now), env: { BELLBIRD_MARKET_CLOSURES: setting } },
    });
    app.parts.closures.start();
    const known = specialDays().map(({ date, kind }) => `${date} ${kind}`);
    const warned = app.lines.filter(({ message }) => message.includes('BELLBIRD_MARKET_CLOSURES'));
    app.close();
    return { known, warned: warned.length };
  };

  test('that are over stay, whatever the setting says later; those of the past are never taken up', () => {
    const db = openMemoryDb();
    const set = '2026-11-19 closed Storm; 2026-11-20 closed Storm; 2026-11-16 closed Earlier';
    expect(start(db, set, START)).toEqual({ known: ['2026-11-19 closed', '2026-11-20 closed'], warned: 1 });
    const friday = at('2026-11-20', 6);
    // Friday is opened again in time; Thursday is over.
    expect(start(db, '', friday)).toEqual({ known: ['2026-11-19 closed'], warned: 0 });
    expect(start(db, '2026-11-19 14:10 Storm', friday)).toEqual({ known: ['2026-11-19 closed'], warned: 1 });
    db.$client.close();
  });
});
test('a market that is ahead of the wall clock decides what has happened', () => {
  const app = createTestApp();
  const { db, clock } = app;
  const source = { clock: { now: () => at('2026-11-19', 12), speed: 1 } };
  const service = new Closures({
    ...{ db, clock, source, store: closureStore(db), audit: app.parts.audit.service },
    countChange: () => {},
  });
  expect(() => service.add(1, STORM)).toThrow('began at 07:00');
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

test('pages hear of a change with the next tick', async () => {
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

test('a day is in force before the parts of a server are made', () => {
  const db = openMemoryDb();
  const marketClosures = [{ date: '2026-11-19', kind: 'closed', closesAt: null, reason: 'Storm' }] as const;
  applyClosures({ config: { marketClosures }, db, log: silentLog }, START);
  expect(isTradingDay('2026-11-19')).toBe(false);
  createTestApp({ db }).close();
  expect(isTradingDay('2026-11-19')).toBe(true);
  db.$client.close();
});
