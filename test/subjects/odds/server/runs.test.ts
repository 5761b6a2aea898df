import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import {
  ABOVE,
  createOddsApp,
  finishedOdds,
  type OddsApp,
  type OddsState,
  risingDay,
  risingStock,
  startOdds,
} from '../../../support/oddsApp.ts';
import { uniqueName } from '#web/shared/uniqueName.ts';
import { openDb } from '#platform/db/open.ts';
import { dailyBars } from '#platform/db/schema.ts';
import { storeCopies, tradingDaysBefore } from '../../../support/storedSessions.ts';
import { list } from '../../../support/callsApp.ts';

/** The clock of the tests is at 11:00 on this day. */
const TODAY = '2026-11-18';
const DAYS = tradingDaysBefore(TODAY, 12);
const FREE = { brokerage: 0, minBrokerage: 0, steps: 0 };

const apps: OddsApp[] = [];
function createApp(options: Parameters<typeof createOddsApp>[0] = {}): OddsApp {
  const app = createOddsApp(options);
  apps.push(app);
  return app;
}
afterEach(() => {
  for (const app of apps.splice(0)) {
    app.close();
    app.remove();
  }
});

/** Many stocks on many days, so that a run takes long. */
const longHistory = createOddsApp();
storeCopies(
  longHistory.services.sessions.folder,
  longHistory.services.sessions.source,
  { stocks: Array.from({ length: 250 }, (_, index) => risingStock(`S${index}`)) },
  tradingDaysBefore(TODAY, 400),
);
longHistory.close();
afterAll(longHistory.remove);

const createSlowApp = (): OddsApp => {
  const app = createOddsApp({ dataDir: longHistory.dataDir });
  apps.push({ ...app, remove: () => {} });
  return app;
};
const SLOW = { scan: ABOVE, settings: { everyEntry: true } };
const workOf = (app: OddsApp) => app.parts.odds.inspect().summary;

describe('a run', () => {
  test('finds the entries of past sessions, and neither today’s nor a later one', async () => {
    const app = createApp();
    app.store([...DAYS, TODAY].map(risingDay));
    const settings = { ...FREE, exit: { kind: 'minutes', minutes: 15 } };
    const { id, history, variants } = await startOdds(app, 'free', { scan: ABOVE, settings });
    expect(history).toMatchObject({ sessions: 12, from: DAYS[0], until: DAYS.at(-1), isReplay: false });
    expect(variants).toBe(1);
    const { result, sessions, refused } = await finishedOdds(app, 'free', id);
    expect(sessions).toEqual({ done: 12, of: 12 });
    expect(refused).toBeNull();
    expect(result?.all).toMatchObject({ entries: 12, stocks: 1, days: 12, isTooFew: true });
    // Bought at 10:12 for $1.06, sold at 10:27 for $1.135.
    expect(result?.all.mean).toBeCloseTo((1.135 / 1.06 - 1) * 100, 5);
  });

  test('answers its entries by pages, newest first, and as CSV', async () => {
    const app = createApp();
    app.store(DAYS.map(risingDay));
    const { id } = await startOdds(app, 'free', { scan: ABOVE, settings: FREE });
    await finishedOdds(app, 'free', id);
    const { json } = await app.request('GET', `/api/odds/${id}/entries?offset=1&limit=2`, { as: 'free' });
    const entry = { symbol: 'UPP', minute: 611, fillMinute: 612, fill: 1.06, exitMinute: 642, exit: 1.2 };
    expect(json).toMatchObject({
      total: 12,
      entries: [
        { ...entry, date: DAYS.at(-2) },
        { ...entry, date: DAYS.at(-3) },
      ],
    });
    const csv = await app.request('GET', `/api/odds/${id}/csv`, { as: 'free' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(13);
    expect(lines[1]).toContain(`${DAYS.at(-1)},10:11,UPP`);
  });

  test('sorts all entries, with the newest first among equal ones', async () => {
    const app = createApp();
    app.store(DAYS.map((date) => ({ date, stocks: ['UPP', 'BHP'].map((code) => risingStock(code)) })));
    const { id } = await startOdds(app, 'free', { scan: ABOVE, settings: FREE });
    await finishedOdds(app, 'free', id);
    const listed = async (query: string) => {
      const { json } = await app.request('GET', `/api/odds/${id}/entries?limit=13${query}`, { as: 'free' });
      return (json as { entries: { symbol: string; date: string }[] }).entries;
    };
    const sorted = await listed('&sort=symbol&order=asc');
    expect(sorted.map(({ symbol }) => symbol)).toEqual([...DAYS.map(() => 'BHP'), 'UPP']);
    expect([sorted[0]?.date, sorted[11]?.date]).toEqual([DAYS.at(-1), DAYS[0]]);
    expect((await listed('&sort=date&order=asc'))[0]?.date).toBe(DAYS[0] ?? '');
    expect((await listed('&sort=symbol&order=desc'))[0]?.symbol).toBe('UPP');
    expect((await listed('')).slice(0, 2).map(({ date }) => date)).toEqual([
      DAYS.at(-1) ?? '',
      DAYS.at(-1) ?? '',
    ]);
    expect((await app.request('GET', `/api/odds/${id}/entries?sort=x`, { as: 'free' })).status).toBe(400);
  });

  test('returns the minutes of a day for a chart', async () => {
    const app = createApp();
    app.store([{ ...risingDay(DAYS[0] ?? ''), gaps: [{ from: 700, until: 720 }] }]);
    const { json } = await app.request('GET', `/api/odds/day?symbol=upp&date=${DAYS[0]}`, { as: 'free' });
    expect(json).toMatchObject({ symbol: 'UPP', date: DAYS[0], gaps: [{ from: 700, until: 720 }] });
    const { minutes, last, volume } = json as Record<'minutes' | 'last' | 'volume', number[]>;
    expect(minutes?.slice(0, 3)).toEqual([600, 601, 602]);
    expect(last?.slice(0, 3)).toEqual([1, 1.005, 1.01]);
    expect(volume?.slice(0, 3)).toEqual([1000, 1000, 1000]);
    for (const query of ['symbol=UPP&date=2026-01-01', `symbol=NON&date=${DAYS[0]}`, 'symbol=UPP&date=x']) {
      const { status } = await app.request('GET', `/api/odds/day?${query}`, { as: 'free' });
      expect({ query, status }).toEqual({ query, status: 404 });
    }
  });

  test('has no result without sessions', async () => {
    const app = createApp();
    const empty = await startOdds(app, 'free', { scan: ABOVE });
    expect(await finishedOdds(app, 'free', empty.id)).toMatchObject({
      sessions: { done: 0, of: 0 },
      result: { all: { entries: 0, mean: null }, sessions: 0 },
    });
  });

  test('reads the stored daily bars, and says so if they begin too late', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'bellbird-odds-'));
    const { db } = openDb({ path: join(dataDir, 'bellbird.db'), copyFolder: null, now: 0 });
    const app = createApp({ dataDir, db });
    app.store(DAYS.map(risingDay));
    const lhs = { type: 'indicator', family: 'sma', params: { length: 5 }, tf: 'D', valueKey: 'now' };
    const logic = { op: 'AND', conditions: [{ lhs: 'last', op: '<', rhs: lhs }] };
    const run = async () => {
      const { id } = await startOdds(app, 'free', { scan: { type: 'logic', logic }, settings: FREE });
      const { result } = await finishedOdds(app, 'free', id);
      return { days: result?.days.entries.filter((count) => count > 0).length, notes: result?.notes };
    };
    const late = await run();
    // The fifth day is the first with an average of five.
    expect(late).toEqual({ days: 8, notes: [expect.stringContaining('Daily bars do not reach far enough')] });
    for (const date of tradingDaysBefore(DAYS[0] ?? '', 4)) {
      const bar = { open: 1.2, high: 1.2, low: 1.2, close: 1.2, volume: 1 };
      db.insert(dailyBars)
        .values({ source: app.source.name, code: 'UPP', date, ...bar })
        .run();
    }
    expect(await run()).toEqual({ days: 12, notes: [] });
  });

  test('reads the other sessions if a file is damaged, and says so', async () => {
    const app = createApp();
    app.store(DAYS.map(risingDay));
    const { folder, source } = app.services.sessions;
    await Bun.write(`${folder}/${source}/${DAYS[3]}.session`, 'damaged');
    const { id } = await startOdds(app, 'free', { scan: ABOVE, settings: FREE });
    const { result } = await finishedOdds(app, 'free', id);
    expect(result?.all.entries).toBe(11);
    expect(result?.days.gapMinutes[3]).toBeGreaterThan(300);
  });

  test('stays as it is when sessions of a later day are added', async () => {
    const app = createApp();
    app.store(DAYS.map(risingDay));
    const { id } = await startOdds(app, 'free', { scan: ABOVE, settings: FREE });
    const before = await finishedOdds(app, 'free', id);
    app.store([{ date: TODAY, stocks: [risingStock('NEW')] }]);
    const again = await startOdds(app, 'free', { scan: ABOVE, settings: FREE });
    expect((await finishedOdds(app, 'free', again.id)).result).toEqual(before.result);
  });
});

describe('the line', () => {
  test('has two runs at a time; a third waits for its turn', async () => {
    const app = createSlowApp();
    const one = await startOdds(app, 'free', SLOW);
    const two = await startOdds(app, 'basic', SLOW);
    const three = await startOdds(app, 'premium', SLOW);
    expect([one.waiting, two.waiting, three.waiting]).toEqual([0, 0, 1]);
    expect(three).toMatchObject({ isDone: false, sessions: { done: 0, of: 400 }, result: null });
    expect(workOf(app)).toMatchObject({ working: 2, waiting: 1 });
    await app.request('DELETE', `/api/odds/${one.id}`, { as: 'free' });
    const next = await app.request('GET', `/api/odds/${three.id}`, { as: 'premium' });
    expect(next.json).toMatchObject({ waiting: 0 });
    expect(workOf(app)).toMatchObject({ working: 2, waiting: 0 });
  });

  test('cancels a user’s run by the next one, and answers its requests', async () => {
    const app = createSlowApp();
    const first = await startOdds(app, 'free', SLOW);
    const waiting = app.request('GET', `/api/odds/${first.id}`, { as: 'free' });
    const second = await startOdds(app, 'free', { ...SLOW, settings: { steps: 2 } });
    expect((await waiting).json).toMatchObject({ id: first.id });
    expect((await app.request('GET', `/api/odds/${first.id}`, { as: 'free' })).status).toBe(404);
    expect((await app.request('GET', `/api/odds/${second.id}`, { as: 'free' })).status).toBe(200);
    expect(workOf(app)).toMatchObject({ runs: 1, working: 1, waiting: 0 });
  });

  test('has a run for each of two tabs of a user, one after the other', async () => {
    const app = createSlowApp();
    const names = Array.from({ length: 6 }, uniqueName);
    const ofTab = (tab: number) => startOdds(app, 'free', { ...SLOW, tab: names[tab] });
    const [one, two] = [await ofTab(0), await ofTab(1)];
    expect([one.waiting, two.waiting]).toEqual([0, 1]);
    expect((await startOdds(app, 'basic', SLOW)).waiting).toBe(0);
    const again = await ofTab(1);
    expect(workOf(app)).toMatchObject({ runs: 3, working: 2, waiting: 1 });
    await ofTab(2);
    const states = await Promise.all(
      [one.id, two.id, again.id].map((id) => app.request('GET', `/api/odds/${id}`, { as: 'free' })),
    );
    expect(states.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(states[0]?.json).toMatchObject({ refused: expect.stringContaining('in two more tabs') });
    expect(states[2]?.json).toMatchObject({ refused: null });
    for (const tab of [3, 4, 5]) await ofTab(tab);
    expect(workOf(app)).toMatchObject({ runs: 5, working: 2, waiting: 1 });
  });

  test('stops working on a cancelled run', async () => {
    const app = createSlowApp();
    const { id } = await startOdds(app, 'free', SLOW);
    await app.request('DELETE', `/api/odds/${id}`, { as: 'free' });
    expect(workOf(app)).toMatchObject({ working: 0, idle: 0 });
    await Bun.sleep(100);
    const before = process.cpuUsage();
    await Bun.sleep(400);
    const { user, system } = process.cpuUsage(before);
    // A working thread would take all of it.
    expect((user + system) / 1000).toBeLessThan(200);
  });

  test('sends results of the sessions so far', async () => {
    const app = createSlowApp();
    let state = await startOdds(app, 'free', SLOW);
    const { id } = state;
    while (state.sessions.done === 0) {
      state = (await app.request('GET', `/api/odds/${id}`, { as: 'free' })).json as OddsState;
    }
    const { sessions, result, isDone } = state;
    expect(isDone).toBe(false);
    expect(result?.sessions).toBe(sessions.done);
    expect(result?.all.entries).toBeGreaterThan(0);
    const none = await app.request('GET', `/api/odds/${id}/entries`, { as: 'free' });
    expect(none.json).toEqual({ total: 0, entries: [] });
  });

  test('refuses waiting runs when the server stops', async () => {
    const app = createSlowApp();
    for (const as of ['free', 'basic'] as const) await startOdds(app, as, SLOW);
    const { id } = await startOdds(app, 'premium', SLOW);
    const waiting = app.request('GET', `/api/odds/${id}`, { as: 'premium' });
    await Bun.sleep(400);
    app.parts.odds.stop();
    expect((await waiting).json).toMatchObject({ isDone: true, refused: 'The server is stopping.' });
    expect(workOf(app)).toMatchObject({ runs: 0, working: 0, idle: 0, waiting: 0 });
  });
});

describe('a request', () => {
  test('reads no run of another user', async () => {
    const app = createApp();
    app.store(DAYS.map(risingDay));
    const { id } = await startOdds(app, 'free', { scan: ABOVE });
    await finishedOdds(app, 'free', id);
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/entries'],
      ['GET', '/csv'],
      ['DELETE', ''],
    ] as const) {
      const { status } = await app.request(method, `/api/odds/${id}${path}`, { as: 'premium' });
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
    }
    expect((await finishedOdds(app, 'free', id)).isDone).toBe(true);
  });

  test('is refused with its field if it is wrong', async () => {
    const app = createApp();
    list(app);
    const condition = ABOVE.logic.conditions[0];
    const many = Array.from({ length: 60 }, () => condition);
    const cases: [body: unknown, status: number, field?: string][] = [
      [{}, 400, 'scan'],
      [{ scan: { type: 'other' } }, 400, 'scan.type'],
      [{ scan: { type: 'scanner', key: 'custom' } }, 400, 'scan.key'],
      [{ scan: { type: 'scan', id: 4711 } }, 400, 'scan.id'],
      [{ scan: { type: 'alert', id: 4711 } }, 404],
      [{ scan: { type: 'alert', id: 'x' } }, 404],
      [{ scan: { type: 'logic', logic: { op: 'AND', conditions: [] } } }, 400, 'scan.logic.conditions'],
      [{ scan: { type: 'logic', logic: { op: 'AND', conditions: many } } }, 400, 'scan.logic.conditions'],
      [{ scan: { ...ABOVE, symbol: 'NONE' } }, 400, 'scan.symbol'],
      [{ scan: { ...ABOVE, filters: { minValue: 'x' } } }, 400],
      [{ scan: { ...ABOVE, lists: { side: 'on', id: 4711 } } }, 400],
      [{ scan: ABOVE, settings: { amount: 1 } }, 400, 'settings.amount'],
      [{ scan: ABOVE, settings: { brokerage: 1e9 } }, 400, 'settings.brokerage'],
      [{ scan: ABOVE, settings: { exit: { kind: 'minutes', minutes: 7 } } }, 400, 'settings.exit.minutes'],
      [{ scan: ABOVE, settings: { exit: { kind: 'stopTarget', stop: 5 } } }, 400, 'settings.exit.target'],
      [{ scan: ABOVE, settings: { everyEntry: 'yes' } }, 400, 'settings.everyEntry'],
      [{ scan: ABOVE, subject: 'scan:x' }, 400, 'subject'],
    ];
    for (const [body, status, field] of cases) {
      const answer = await app.request('POST', '/api/odds', { as: 'free', body });
      const { field: found } = answer.json as { field?: string };
      expect({ body: JSON.stringify(body).slice(0, 200), status: answer.status }).toEqual({
        body: JSON.stringify(body).slice(0, 200),
        status,
      });
      if (field !== undefined) expect(found).toBe(field);
    }
    expect(workOf(app)).toMatchObject({ runs: 0, working: 0 });
    expect((await app.request('POST', '/api/odds', { body: { scan: ABOVE } })).status).toBe(401);
  });

  test('reads another user’s alert and scan as missing', async () => {
    const app = createApp();
    list(app);
    const body = { symbol: 'BHP', name: 'Mine', logic_json: ABOVE.logic };
    const { json } = await app.request('POST', '/api/alerts', { as: 'premium', body });
    const scan = { type: 'alert', id: (json as { id: number }).id };
    expect((await app.request('POST', '/api/odds', { as: 'free', body: { scan } })).status).toBe(404);
    expect(await startOdds(app, 'premium', { scan })).toMatchObject({ name: 'Mine' });
  });

  test('is refused after too many in a minute', async () => {
    const app = createApp();
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      const { status } = await app.request('POST', '/api/odds', { as: 'free', body: { scan: null } });
      statuses.push(status);
    }
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400));
    expect(statuses.slice(60)).toEqual([429, 429]);
  });
});

describe('variants', () => {
  const variantsOf = async (app: OddsApp, body: object): Promise<number> =>
    (await startOdds(app, 'free', { scan: ABOVE, ...body })).variants;

  test('count each scan and settings once, by subject', async () => {
    const app = createApp();
    expect(await variantsOf(app, {})).toBe(1);
    expect(await variantsOf(app, {})).toBe(1);
    expect(await variantsOf(app, { settings: { steps: 2 } })).toBe(2);
    expect(await variantsOf(app, { subject: 'scan:1' })).toBe(1);
    expect((await startOdds(app, 'premium', { scan: ABOVE })).variants).toBe(1);
  });

  test('count for 90 days, and are removed by the nightly job', async () => {
    const app = createApp();
    await variantsOf(app, {});
    app.clock.advance(91 * 86_400_000);
    // Logins last less than 90 days.
    const token = await app.tokenOf(await app.user('free'));
    const later = await startOdds(app, { token }, { scan: ABOVE, settings: { steps: 2 } });
    expect(later.variants).toBe(1);
    expect(app.parts.odds.prune()).toEqual({ removed: 1, hasMore: false });
  });
});
