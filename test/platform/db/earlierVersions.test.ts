import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openDb } from '../../../src/platform/db/open.ts';
import { createTestApp, type TestApp } from '../../support/testApp.ts';

const FOLDER = join(import.meta.dir, '../../fixtures/dataFolders');
const PASSWORD = 'a long password 1';

/** Databases as the programs of those days wrote them, through their own API, and what was already there to be written. */
const VERSIONS = [
  { version: '2026-11-22-02', migrations: 3, hasAlerts: false },
  { version: '2026-11-22-17', migrations: 12, hasAlerts: true },
  { version: '2026-11-23', migrations: 14, hasAlerts: true },
];

let folder: string;
let db: Db;
let app: TestApp;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-test-'));
});
afterEach(async () => {
  app.close();
  db.$client.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(version: string): Promise<string | null> {
  const path = join(folder, 'bellbird.db');
  await Bun.write(path, await Bun.zstdDecompress(await Bun.file(join(FOLDER, `${version}.db.zst`)).bytes()));
  const opened = openDb({ path, copyFolder: folder, now: Date.UTC(2026, 10, 27) });
  ({ db } = opened);
  app = createTestApp({ db });
  return opened.copy;
}

async function login(identifier: string): Promise<{ as: { token: string } }> {
  const { json } = await app.request('POST', '/api/login', { body: { identifier, password: PASSWORD } });
  expect(json).toMatchObject({ authenticated: true });
  return { as: { token: (json as { accessToken: string }).accessToken } };
}

describe.each(VERSIONS)('a data folder of $version', ({ version, migrations, hasAlerts }) => {
  test('opens, keeps what was in it, and goes on', async () => {
    const copy = await open(version);
    expect(copy).toStartWith(folder);
    const applied = db.$client.query<{ count: number }, []>(
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

    app.source.give([{ code: 'BHP', last: 51 }]);
    app.tick.run();
    const { json: added } = await app.request('POST', '/api/alerts', {
      ...trader,
      body: {
        ...{ symbol: 'BHP', name: 'New', persistent: true },
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
  });

  test('begins the ledger with one line that tells of the calls of before', async () => {
    await open(version);
    const { json } = await app.request('GET', '/api/calls/ledger');
    const { lines } = json as { lines: { line: string }[] };
    expect(lines.map(({ line }) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ number: 1, kind: 'imported', calls: 2 }) as unknown,
    ]);
  });
});
