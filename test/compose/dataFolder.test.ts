import { describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceEdges } from '#compose/sourceEdges.ts';
import { loadConfig } from '#src/config/config.ts';
import { createLog, type LogLine } from '#lib/log.ts';
import { openMemoryDb } from '../support/memoryDb.ts';
import { tempFolders } from '../support/tempFolder.ts';
import type { TestServer } from '../support/testServer.ts';
import { testServers } from '../support/testServers.ts';

const folder = tempFolders();
const { start, stopAll } = testServers();

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const warnings = (server: TestServer) => server.lines.filter(({ level }) => level === 'warn');

/** A data folder left by an earlier version, readable by everyone. */
async function openedFolder(): Promise<string> {
  const data = join(folder(), 'data');
  await start(data);
  await stopAll();
  for (const name of ['logs', 'backups', 'public']) mkdirSync(join(data, name), { recursive: true });
  for (const name of ['logs/bellbird.log.1', 'backups/before-x.db', 'public/logo.svg']) {
    writeFileSync(join(data, name), 'x');
  }
  for (const name of ['', 'logs', 'backups', 'public']) chmodSync(join(data, name), 0o755);
  for (const name of [
    'bellbird.db',
    'jwt-secret',
    'logs/bellbird.log.1',
    'backups/before-x.db',
    'public/logo.svg',
  ]) {
    chmodSync(join(data, name), 0o644);
  }
  return data;
}

describe('the permissions of a data folder', () => {
  test('are tightened at start if an earlier version left them open, with a log line', async () => {
    const data = await openedFolder();
    const server = await start(data);
    for (const name of ['', 'logs', 'backups'])
      expect([name, modeOf(join(data, name))]).toEqual([name, '700']);
    const files = ['bellbird.db', 'bellbird.db-wal', 'bellbird.db-shm', 'jwt-secret', 'bellbird.lock'];
    for (const name of [...files, 'logs/bellbird.log.1', 'backups/before-x.db']) {
      expect([name, modeOf(join(data, name))]).toEqual([name, '600']);
    }
    expect(['public', 'public/logo.svg'].map((name) => modeOf(join(data, name)))).toEqual(['755', '644']);
    expect(warnings(server)).toMatchObject([
      { message: 'Other users could read these files; now only their owner can' },
    ]);
    expect(JSON.stringify(warnings(server))).toContain('jwt-secret');
  });

  test('of a folder with other contents stay, only its Bellbird files are tightened', async () => {
    const data = await openedFolder();
    writeFileSync(join(data, 'holiday.jpg'), 'x');
    chmodSync(join(data, 'holiday.jpg'), 0o644);
    const server = await start(data);
    expect(['', 'holiday.jpg', 'bellbird.db', 'jwt-secret'].map((name) => modeOf(join(data, name)))).toEqual([
      '755',
      '644',
      '600',
      '600',
    ]);
    expect(warnings(server).at(-1)).toMatchObject({
      message: 'Other users can read these files; give the data its own folder',
      properties: { failed: [data] },
    });
  });
});

test('a secret half written by a power cut does not prevent the next start, a whole one stays', async () => {
  const data = join(folder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'jwt-secret.partial'), 'ha');
  await start(data);
  const secret = readFileSync(join(data, 'jwt-secret'), 'utf8');
  expect(secret).toMatch(/^[\w-]{64}$/);
  expect(existsSync(join(data, 'jwt-secret.partial'))).toBe(false);
  await stopAll();
  await start(data);
  expect(readFileSync(join(data, 'jwt-secret'), 'utf8')).toBe(secret);
});

const refusal = async (data: string): Promise<string> =>
  start(data).then(
    () => 'it started',
    (error: Error) => error.message,
  );

test.each(['gone', 'without a table'])(
  'a missing database (%s) is not recreated if a secret exists',
  async (what) => {
    const data = join(folder(), 'data');
    await start(data);
    await stopAll();
    const database = join(data, 'bellbird.db');
    rmSync(database);
    if (what === 'without a table') new Database(database).run('PRAGMA user_version = 1');
    expect(await refusal(data)).toBe(
      `The database ${database} is missing or empty, but ${join(data, 'jwt-secret')} exists, so Bellbird does not create a new one. ` +
        `Restore a backup with "bellbird restore FILE". To start with an empty database, move the files in ${data} elsewhere.`,
    );
    rmSync(join(data, 'jwt-secret'));
    expect(await refusal(data)).toBe('it started');
  },
);

test('an answer is saved readable only by its owner, without secrets, and a failure costs one log line', () => {
  const data = folder();
  const lines: LogLine[] = [];
  const { config } = loadConfig({
    BELLBIRD_DATA: data,
    BELLBIRD_TRADINGVIEW_COOKIE: 'sessionid=a-long-secret-0123',
  });
  const db = openMemoryDb();
  const { keepAnswer } = sourceEdges({ config, db, log: createLog((line) => lines.push(line)) });
  keepAnswer('tradingview', '{"rows":["a-long-secret-0123"]}');
  keepAnswer('tradingview', '{"rows":[1,"sessionid=a-long-secret-0123"]}');
  const path = join(data, 'answers', 'tradingview.json');
  expect(readFileSync(path, 'utf8')).toStartWith('{"rows":[1,');
  expect(readFileSync(path, 'utf8')).not.toContain('a-long-secret');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(lines).toEqual([]);
  const blocked = folder();
  writeFileSync(join(blocked, 'answers'), '');
  const other = sourceEdges({
    config: { ...config, dataDir: blocked },
    db,
    log: createLog((line) => lines.push(line)),
  });
  other.keepAnswer('asx', '{}');
  expect(lines).toMatchObject([{ level: 'warn' }]);
  db.$client.close();
});
