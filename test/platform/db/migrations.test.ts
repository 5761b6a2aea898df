import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { unpackJson } from '#lib/pack.ts';
import { MIGRATIONS } from '#platform/db/migrations.ts';
import { type Db, openDb } from '#platform/db/open.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

const FOLDER = join(import.meta.dir, '../../fixtures/dataFolders');
const PASSWORD = 'a long password 1';

/** Databases written by those versions through their own API, with the features that existed then. */
const VERSIONS = [
  { version: '2026-11-22-02', migrations: 3, hasAlerts: false },
  { version: '2026-11-22-17', migrations: 12, hasAlerts: true },
  { version: '2026-11-23', migrations: 14, hasAlerts: true },
];

const newFolder = tempFolders();
let db: Db | null = null;
let app: TestApp;

afterEach(() => {
  if (db === null) return;
  app.close();
  db.$client.close();
  db = null;
});

/** Opens a data folder of that version. @returns the database and the copy made before migrating */
async function open(version: string): Promise<{ database: Db; copy: string | null; folder: string }> {
  const folder = newFolder();
  const path = join(folder, 'bellbird.db');
  await Bun.write(path, await Bun.zstdDecompress(await Bun.file(join(FOLDER, `${version}.db.zst`)).bytes()));
  const opened = openDb({ path, copyFolder: folder, now: Date.UTC(2026, 10, 27) });
  ({ db } = opened);
  app = createTestApp({ db: opened.db });
  return { database: opened.db, copy: opened.copy, folder };
}

async function login(identifier: string): Promise<{ as: { token: string } }> {
  const { json } = await app.request('POST', '/api/login', { body: { identifier, password: PASSWORD } });
  expect(json).toMatchObject({ authenticated: true });
  return { as: { token: (json as { accessToken: string }).accessToken } };
}

describe.each(VERSIONS)('a data folder of $version', ({ version, migrations, hasAlerts }) => {
  test('opens, keeps its data, and continues to work', async () => {
    const { database, copy, folder } = await open(version);
    expect(copy).toStartWith(folder);
    const applied = database.$client.query<{ count: number }, []>(
      'SELECT count(*) AS count FROM __drizzle_migrations',
    );
    expect(applied.get()?.count).toBeGreaterThan(migrations);

    const trader = await login('trader');
    const { json: mine } = await app.request('GET', '/api/calls/mine', trader);
    expect(mine).toMatchObject({
      calls: [
        { symbol: 'CBA', callType: 'buy', status: 'pending', entryPrice: 0.01, targetPrice: 900 },
        { symbol: 'BHP', callType: 'bought', status: 'open', entryPrice: 50, stopLossType: 'HARD' },
      ],
    });
    const { json: scans } = await app.request('GET', '/api/indicators/scans', trader);
    expect(scans).toMatchObject({ scans: [{ name: 'Movers' }] });
    const { json: prefs } = await app.request('GET', '/api/indicators/prefs', trader);
    expect(prefs).toMatchObject({ prefs: { refs: [{ family: 'rsi', tf: '60' }] } });

    app.source.apply([{ code: 'BHP', last: 51 }]);
    app.tick.run();
    const { json: added } = await app.request('POST', '/api/alerts', {
      ...trader,
      body: {
        symbol: 'BHP',
        name: 'New',
        persistent: true,
        logic_json: {
          op: 'AND',
          conditions: [{ lhs: { type: 'field', key: 'last' }, op: '>', rhs: { type: 'number', value: 60 } }],
        },
      },
    });
    expect(added).toMatchObject({ name: 'New' });
    const { json: alerts } = await app.request('GET', '/api/alerts', trader);
    const names = (alerts as { alerts: { name: string }[] }).alerts.map(({ name }) => name).sort();
    expect(names).toEqual(hasAlerts ? ['Breakout', 'New'] : ['New']);

    const owner = await login('owner');
    const { json: users } = await app.request('GET', '/api/admin/users', owner);
    expect((users as { users: { username: string }[] }).users.map(({ username }) => username).sort()).toEqual(
      ['owner', 'reader', 'trader'],
    );

    // The ledger begins with one entry about the earlier calls.
    const { json: ledger } = await app.request('GET', '/api/calls/ledger');
    const { lines } = ledger as { lines: { line: string }[] };
    expect(lines.map(({ line }) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ number: 1, kind: 'imported', calls: 2 }) as unknown,
    ]);
  });
});

/** A database of the version before a migration, filled by `sql`, then opened by this version. */
function upgraded(tag: string, sql: readonly string[]) {
  const path = join(newFolder(), 'b.db');
  const at = MIGRATIONS.findIndex((migration) => migration.tag.endsWith(tag));
  const openWith = (migrations = MIGRATIONS) =>
    openDb({ path, copyFolder: null, now: 0, migrations }).db.$client;
  const old = openWith(MIGRATIONS.slice(0, at));
  for (const statement of sql) old.run(statement);
  old.close();
  return openWith();
}

const DAILY = "INSERT INTO daily_bars VALUES ('BHP', '2026-11-18', 1, 2, 0.5, 1.5, 10)";
const daily = 'SELECT source, code, date, close FROM daily_bars';

test('market data gets its source: bars stored with minutes came from ingest', () => {
  const client = upgraded('_market_sources', [
    DAILY,
    "INSERT INTO minute_segments (date, bars) VALUES ('2026-11-18', x'0102')",
    "INSERT INTO pre_open_snapshots VALUES ('2026-11-18', 'BHP', '{}')",
  ]);
  expect(client.query(daily).all()).toEqual([
    { source: 'ingest', code: 'BHP', date: '2026-11-18', close: 1.5 },
  ]);
  // Pre-open snapshots may have been simulated.
  expect(client.query('SELECT kind, source, date, hex(packed) AS packed FROM segments').all()).toEqual([
    { kind: 'minutes', source: 'ingest', date: '2026-11-18', packed: '0102' },
  ]);
  client.close();
});

const user = (id: number, deletedAt: string): string =>
  `INSERT INTO users (id, username, username_key, password_hash, created_at, deleted_at)
   VALUES (${id}, 'u${id}', 'u${id}', '-', 0, ${deletedAt})`;
const call = (id: number): string =>
  `INSERT INTO calls (public_id, user_id, symbol, call_type, status, entry_price, target_price, stop_loss_type,
     submitted_at, rationale, rationale_salt)
   VALUES ('c${id}', ${id}, 'BHP', 'bought', 'open', 1, 2, 'NONE', 0, 'why', 'salt')`;

test('accounts deleted earlier lose the rationales of their calls, others keep them', () => {
  const client = upgraded('_market_levels', [user(1, 'NULL'), user(2, '5'), call(1), call(2)]);
  expect(client.query('SELECT public_id, rationale, rationale_salt FROM calls ORDER BY id').all()).toEqual([
    { public_id: 'c1', rationale: 'why', rationale_salt: 'salt' },
    { public_id: 'c2', rationale: null, rationale_salt: null },
  ]);
  client.close();
});

test('alerts delayed around events now mention them, and triggers that never fired leave the history', () => {
  const alert = (id: number, guard: string): string =>
    `INSERT INTO alerts (id, user_id, symbol, active, persistent, logic, telegram, discord, created_at, updated_at, guard, held)
     VALUES (${id}, 1, 'BHP', 1, 0, '{}', 0, 0, 0, 0, ${guard}, '{}')`;
  const trigger = (id: number, guard: string): string =>
    `INSERT INTO alert_triggers (id, alert_id, symbol, triggered_at, market_at, seen, source, delay_minutes, deactivated,
       silent, guard) VALUES (${id}, 1, 'BHP', 0, 0, '[]', 'test', 0, 0, 0, ${guard})`;
  const client = upgraded('_alerts_mention_events', [
    user(1, 'NULL'),
    alert(1, `'{"mode":"hold","currencies":["AUD"]}'`),
    alert(2, 'NULL'),
    trigger(1, `'{"kind":"late"}'`),
    trigger(2, `'{"kind":"withheld"}'`),
    trigger(3, 'NULL'),
  ]);
  expect(client.query('SELECT id, guard FROM alerts').values()).toEqual([
    [1, '{"mode":"mark","currencies":["AUD"]}'],
    [2, null],
  ]);
  expect(client.query('SELECT id FROM alert_triggers').values()).toEqual([[1], [3]]);
  client.close();
});

test('market data moves to one table, in the order in which it was written', () => {
  const snapshot = { capturedAt: '2026-11-18T22:50:00.000Z', match_price: 2.2 };
  const client = upgraded('0036_segments', [
    "INSERT INTO minute_segments (source, date, bars) VALUES ('a', '2026-11-18', x'01'), ('b', '2026-11-17', x'02')",
    "INSERT INTO auction_segments (source, date, changes) VALUES ('a', '2026-11-18', x'03')",
    "INSERT INTO session_segments (source, date, stocks) VALUES ('a', '2026-11-18', x'04')",
    "INSERT INTO last_sessions VALUES ('a', '2026-11-17', x'05')",
    ...['BHP', 'CBA'].map(
      (code) =>
        `INSERT INTO pre_open_snapshots VALUES ('a', '2026-11-18', '${code}', '${JSON.stringify(snapshot)}')`,
    ),
  ]);
  const rows = client.query<{ packed: string }, []>('SELECT kind, source, date, packed FROM segments').all();
  expect(rows.slice(0, 5).map((row) => Object.values({ ...row, packed: [...row.packed].join() }))).toEqual([
    ['minutes', 'a', '2026-11-18', '1'],
    ['minutes', 'b', '2026-11-17', '2'],
    ['auctions', 'a', '2026-11-18', '3'],
    ['stocks', 'a', '2026-11-18', '4'],
    ['ended', 'a', '2026-11-17', '5'],
  ]);
  expect(unpackJson(rows[5]?.packed ?? '')).toEqual({ BHP: snapshot, CBA: snapshot });
  client.close();
});
