import { afterEach, describe, expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { savedOddsAnswer } from '#subjects/odds/answers/odds.ts';
import { openMemoryDb } from '../../../support/memoryDb.ts';
import {
  ABOVE,
  createOddsApp,
  finishedOdds,
  type OddsApp,
  risingDay,
  risingStock,
  startOdds,
} from '../../../support/oddsApp.ts';
import { createFakeClock, PASSWORD } from '../../../support/testApp.ts';
import { tradingDaysBefore } from '../../../support/storedSessions.ts';

type Saved = Wire<typeof savedOddsAnswer>;

/** The clock of the tests is at 11:00 on this day. */
const TODAY = '2026-11-18';
const TOMORROW = '2026-11-19';
const AFTER = '2026-11-20';
const PAST = tradingDaysBefore(TODAY, 5);
const FREE = { brokerage: 0, minBrokerage: 0, steps: 0 };

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});
function createApp(options: Parameters<typeof createOddsApp>[0] = {}): OddsApp {
  const app = createOddsApp(options);
  cleanups.push(app.close, app.remove);
  return app;
}

async function save(app: OddsApp, body: object = {}, as: 'free' | 'premium' = 'free'): Promise<number> {
  const sent = { scan: ABOVE, settings: FREE, name: 'Rising', ...body };
  const { status, json, text } = await app.request('POST', '/api/odds/saved', { as, body: sent });
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (json as { id: number }).id;
}

/** Logs in again, because tests move the clock by days. */
async function listed(app: OddsApp, role: 'free' | 'premium' = 'free'): Promise<Saved['saved']> {
  const token = await app.tokenOf(await app.user(role));
  const { json } = await app.request('GET', '/api/odds/saved', { as: { token } });
  return (json as Saved).saved;
}

const atEvening = (app: OddsApp, date: string): void => app.clock.set(fromSydney(date, 20, 0));
const storedDates = (app: OddsApp): unknown[] =>
  app.db.$client.query('SELECT date, is_final AS isFinal, entry_count AS entries FROM odds_days').all();

/** Stocks that rise at 10:00, and at 13:00: before and after the odds are saved at 11:00. */
const twoRises = (date: string) => ({
  date,
  stocks: [
    risingStock('OLD'),
    {
      code: 'NEW',
      close: 1,
      minutes: Array.from({ length: 370 }, (_, index) => ({
        minute: 600 + index,
        trades: 1 + 0.005 * Math.min(40, Math.max(0, index - 180)),
      })),
    },
  ],
});

/** So many entries that they need further pages of the database. */
const manyRises = (date: string) => ({
  date,
  stocks: Array.from({ length: 2000 }, (_, index) => ({
    code: Bun.hash(String(index)).toString(36).slice(0, 6).toUpperCase(),
    close: 1,
    minutes: [
      { minute: 700, trades: 1 },
      { minute: 701, trades: 1.1 },
      { minute: 702, trades: 1.1 },
      { minute: 740, trades: 1 + index / 1000 },
    ],
  })),
});

describe('entries since the scan was saved', () => {
  test('are stored after the session, without those before that moment', async () => {
    const app = createApp();
    app.store(PAST.map(risingDay));
    await save(app);
    app.store([twoRises(TODAY)]);
    await app.services.odds.collect();
    // The session is running.
    expect(storedDates(app)).toEqual([]);
    atEvening(app, TODAY);
    await app.services.odds.collect();
    const [saved] = await listed(app);
    expect(saved).toMatchObject({ name: 'Rising', sessions: 1, until: TODAY, problem: null });
    expect(saved?.result?.all).toMatchObject({ entries: 1, stocks: 1, days: 1 });
    const token = await app.tokenOf(await app.user('free'));
    const { json } = await app.request('GET', `/api/odds/saved/${saved?.id}/entries`, { as: { token } });
    expect(json).toMatchObject({ total: 1, entries: [{ symbol: 'NEW', date: TODAY, minute: 791 }] });
  });

  test('get their exits from the next session, and missed sessions are stored later', async () => {
    const app = createApp();
    await save(app, { settings: { ...FREE, exit: { kind: 'nextOpen' } } });
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    await app.services.odds.collect();
    expect(storedDates(app)).toEqual([{ date: TODAY, isFinal: 0, entries: 0 }]);
    expect((await listed(app))[0]?.result).toMatchObject({ all: { entries: 0 }, leftOut: { noExit: 1 } });
    // The server is off tomorrow.
    app.store([risingDay(TOMORROW), twoRises(TOMORROW), twoRises(AFTER)]);
    atEvening(app, AFTER);
    await app.services.odds.collect();
    expect(storedDates(app)).toEqual([
      { date: TODAY, isFinal: 1, entries: 1 },
      { date: TOMORROW, isFinal: 1, entries: 2 },
      { date: AFTER, isFinal: 0, entries: 0 },
    ]);
    expect((await listed(app))[0]?.result).toMatchObject({ all: { entries: 3 }, leftOut: { noExit: 2 } });
  });

  test('outlive the history, and do not change with the saved scan', async () => {
    const app = createApp();
    const body = { name: 'Mine', logic: ABOVE.logic };
    const { json } = await app.request('POST', '/api/indicators/scans', { as: 'free', body });
    const { id } = (json as { scan: { id: number } }).scan;
    await save(app, { scan: { type: 'scan', id } });
    const changed = { ...body, logic: { op: 'AND', conditions: [{ lhs: 'last', op: '>', rhs: 99 }] } };
    await app.request('PUT', `/api/indicators/scans/${id}`, { as: 'free', body: changed });
    await app.request('DELETE', `/api/indicators/scans/${id}`, { as: 'free' });
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    await app.services.odds.collect();
    app.remove();
    const [saved] = await listed(app);
    expect(saved?.result?.all.entries).toBe(1);
  });

  test('are collected once', async () => {
    const app = createApp();
    await save(app);
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    await Promise.all([app.services.odds.collect(), app.services.odds.collect()]);
    await app.services.odds.collect();
    expect(storedDates(app)).toEqual([{ date: TODAY, isFinal: 0, entries: 1 }]);
  });

  test('are not collected during a replay, nor from its session', async () => {
    const replay = {
      state: () => ({
        ...{ from: 0, until: 1, speed: 1, jumps: 0 },
        ...{ isPaused: false, hasEnded: false, isCutOff: false },
      }),
      pause: () => {},
      setSpeed: () => {},
      jump: () => {},
    };
    const app = createApp({ source: { replay } });
    await save(app);
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    await app.services.odds.collect();
    const [saved] = await listed(app);
    expect(saved).toMatchObject({ sessions: 0, result: null });
    expect(saved?.problem).toContain('A replay is running');
  });

  test('name the sources if the server changes to another one, whose history is apart', async () => {
    const [db, clock] = [openMemoryDb(), createFakeClock()];
    const first = createApp({ db, clock });
    await save(first);
    first.store([twoRises(TODAY)]);
    atEvening(first, TODAY);
    await first.services.odds.collect();
    const second = createApp({ db, clock, dataDir: first.dataDir, source: { name: 'other' } });
    const { sessions } = second.services;
    expect(sessions.dates()).toEqual([]);
    second.store([twoRises(TOMORROW)]);
    atEvening(second, TOMORROW);
    await second.services.odds.collect();
    const token = await second.tokenOf(await first.user('free'));
    const { json } = await second.request('GET', '/api/odds/saved', { as: { token } });
    const [saved] = (json as Saved).saved;
    expect(saved).toMatchObject({ sessions: 2, result: { all: { entries: 3 } } });
    expect(saved?.result?.notes).toEqual([
      'The sessions are from several market sources: hand from Wednesday 18 November 2026, other from Thursday 19 November 2026.',
    ]);
    const { id } = await startOdds(second, { token }, { scan: ABOVE });
    expect(await finishedOdds(second, { token }, id)).toMatchObject({
      history: { sessions: 1, source: 'other', otherSources: ['hand'] },
    });
  });

  test('are tried again after a full disk, and nothing is stored in between', async () => {
    const app = createApp();
    await save(app);
    await save(app, { name: 'Second' });
    app.store([manyRises(TODAY)]);
    atEvening(app, TODAY);
    const { $client: client } = app.db;
    const pages = client.query<{ pages: number }, []>('SELECT page_count AS pages FROM pragma_page_count');
    client.run(`PRAGMA max_page_count = ${pages.get()?.pages}`);
    await app.services.odds.collect();
    expect(storedDates(app)).toEqual([]);
    expect(app.lines.map(({ message }) => message)).toContain(
      'Could not store the entries of saved odds; trying again',
    );
    client.run('PRAGMA max_page_count = 1000000');
    await app.services.odds.collect();
    expect(storedDates(app)).toHaveLength(2);
  });
});

describe('saved odds', () => {
  test('belong to their user', async () => {
    const app = createApp();
    const id = await save(app);
    for (const [method, path] of [
      ['DELETE', `/api/odds/saved/${id}`],
      ['GET', `/api/odds/saved/${id}/entries`],
    ] as const) {
      expect((await app.request(method, path, { as: 'premium' })).status).toBe(404);
    }
    expect(await listed(app, 'premium')).toEqual([]);
    expect(await listed(app)).toHaveLength(1);
    expect((await app.request('DELETE', `/api/odds/saved/${id}`, { as: 'free' })).status).toBe(200);
    expect(await listed(app)).toEqual([]);
  });

  test('are limited by plan, and need a plain name', async () => {
    const app = createApp();
    for (let count = 0; count < 3; count += 1) await save(app);
    const body = { scan: ABOVE, name: 'Fourth' };
    const fourth = await app.request('POST', '/api/odds/saved', { as: 'free', body });
    expect(fourth).toMatchObject({ status: 400, json: { error: expect.stringContaining('3 saved odds') } });
    for (const name of ['a\nb', 'x'.repeat(81)]) {
      const answer = await app.request('POST', '/api/odds/saved', { as: 'premium', body: { ...body, name } });
      expect(answer).toMatchObject({ status: 400, json: { field: 'name' } });
    }
  });

  test('are deleted with the account, whose run ends', async () => {
    const app = createApp();
    app.store(PAST.map(risingDay));
    await save(app);
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    await app.services.odds.collect();
    const user = await app.user('free');
    const token = await app.tokenOf(user);
    await startOdds(app, { token }, { scan: ABOVE });
    const body = { password: PASSWORD };
    const { status } = await app.request('POST', '/api/settings/delete-account', { as: { token }, body });
    expect(status).toBe(200);
    for (const table of ['odds_saved', 'odds_days', 'odds_variants']) {
      expect({ table, rows: app.db.$client.query(`SELECT * FROM ${table}`).all() }).toEqual({
        table,
        rows: [],
      });
    }
    expect(app.parts.odds.inspect().summary).toMatchObject({ runs: 0 });
  });

  test('that are deleted while their session is read are not stored', async () => {
    const app = createApp();
    const id = await save(app);
    app.store([twoRises(TODAY)]);
    atEvening(app, TODAY);
    const collecting = app.services.odds.collect();
    const token = await app.tokenOf(await app.user('free'));
    await app.request('DELETE', `/api/odds/saved/${id}`, { as: { token } });
    await collecting;
    expect(storedDates(app)).toEqual([]);
  });
});
