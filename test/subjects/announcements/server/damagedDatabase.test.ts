import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rescueDatabase } from '#platform/db/rescue.ts';
import { wordsOfAnnouncement } from '#subjects/announcements/rules/searchWords.ts';
import { post } from '#support/executable.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { testServers } from '#support/testServers.ts';

const folder = tempFolders();
const { start, stopAll } = testServers();

const ACCOUNT = { username: 'Tess', password: 'a good password', platform: 'web' };

let original = '';
beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
  const { url } = await start(original);
  expect((await post(`${url}/api/register`, ACCOUNT)).status).toBe(200);
  await stopAll();
});
afterAll(() => rmSync(original, { recursive: true, force: true }));

/** A data folder with an account, whose server has stopped. */
function stoppedFolder(): { data: string; database: string } {
  const data = join(folder(), 'data');
  cpSync(original, data, { recursive: true });
  return { data, database: join(data, 'bellbird.db') };
}

/** Overwrites the first page of a table or an index, like a failing SD card. */
function damage(database: string, name: string): void {
  const client = new Database(database);
  const query = client.query<{ rootpage: number }, [string]>(
    'SELECT rootpage FROM sqlite_master WHERE name = ?1',
  );
  const page = query.get(name)?.rootpage ?? 0;
  client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const { page_size: size } = client.query<{ page_size: number }, []>('PRAGMA page_size').get() ?? {
    page_size: 0,
  };
  client.close();
  expect([page > 1, size]).toEqual([true, 4096]);
  const file = openSync(database, 'r+');
  writeSync(file, new Uint8Array(size).fill(0xa5), 0, size, (page - 1) * size);
  closeSync(file);
}

const identifier = ACCOUNT.username;
const login = (url: string) => post(`${url}/api/login`, { identifier, password: ACCOUNT.password });

describe('a start with a damaged page', () => {
  test.each(['catalogs', 'last_trades'])(
    'of rebuildable data (%s) drops the data and serves',
    async (table) => {
      const { data, database } = stoppedFolder();
      damage(database, table);
      const server = await start(data);
      expect((await login(server.url)).status).toBe(200);
      const lines = server.lines.filter(({ message }) => message.startsWith('Repaired the damaged database'));
      const kept = readdirSync(data).filter((name) => name.startsWith('bellbird.db.replaced-'));
      expect([kept.length, lines.length]).toEqual([1, 1]);
      expect(lines[0]).toMatchObject({ level: 'warn', properties: { dropped: [table] } });
    },
  );

  test.each(['devices', 'watchlist_items'])(
    'of user data that no start reads (%s) logs the table and serves the rest',
    async (table) => {
      const { data, database } = stoppedFolder();
      damage(database, table);
      const server = await start(data);
      expect((await login(server.url)).status).toBe(200);
      const lines = server.lines.filter(({ message }) => message.startsWith('The database is damaged'));
      expect(lines).toMatchObject([
        {
          level: 'error',
          properties: {
            reason: expect.stringContaining(`user data (${table}) cannot be read. Restore`),
          },
        },
      ]);
      expect(readdirSync(data).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
    },
  );

  test('of an index rebuilds it without loss', async () => {
    const { data, database } = stoppedFolder();
    const client = new Database(database);
    const names = client.query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'users' ",
    );
    const index = names.all()[0]?.name ?? '';
    client.close();
    damage(database, index);
    expect(rescueDatabase(database, { now: 0, wordsOf: wordsOfAnnouncement }).dropped).toEqual([]);
    expect((await login((await start(data)).url)).status).toBe(200);
  });

  test('of user data explains the damage and changes nothing', async () => {
    const { data, database } = stoppedFolder();
    damage(database, 'users');
    const before = readFileSync(database);
    const said = await start(data).catch((error: Error) => `${error.name}: ${error.message}`);
    expect(said).toBe(
      `DatabaseError: The database ${database} is damaged: user data (users) cannot be read. Restore the last ` +
        'backup with "bellbird restore FILE"; nightly backups are in the folder backups next to it. Then check the disk or SD card.',
    );
    expect(readFileSync(database).equals(before)).toBe(true);
    expect(readdirSync(data).filter((name) => /restoring|replaced/.test(name))).toEqual([]);
  });
});

test('a rescue keeps every row, the id sequences, and the damaged file', async () => {
  const { database } = stoppedFolder();
  const counts = (path: string) => {
    const client = new Database(path, { readonly: true });
    const sequence = client.query('SELECT name, seq FROM sqlite_sequence ORDER BY name').all();
    const users = client.query('SELECT * FROM users').all();
    const found = client
      .query("SELECT rowid FROM announcement_words WHERE announcement_words MATCH 'iron'")
      .all();
    client.close();
    return { sequence, users, found };
  };
  const client = new Database(database);
  client.run(
    `INSERT INTO announcements VALUES (7, 'asx', 'a', 'BHP', '2026-11-24', 1, 'Iron ore', NULL, NULL, '[]', 0)`,
  );
  client.run("INSERT INTO announcement_words (rowid, words) VALUES (7, 'bhp iron ore')");
  client.close();
  const before = counts(database);
  expect([before.users.length, before.found]).toEqual([1, [{ rowid: 7 }]]);
  damage(database, 'catalogs');
  const size = statSync(database).size;
  const { dropped, kept } = rescueDatabase(database, { now: 0, wordsOf: wordsOfAnnouncement });
  expect([dropped, kept]).toEqual([['catalogs'], `${database}.replaced-1970-01-01T00-00-00-000Z`]);
  expect(statSync(kept ?? '').size).toBe(size);
  expect(counts(database)).toEqual(before);
});
