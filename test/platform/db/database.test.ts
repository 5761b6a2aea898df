import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type LogLine } from '#lib/log.ts';
import { createCheckpoints, waitingPages } from '#platform/db/checkpoints.ts';
import { lockData } from '#platform/db/lock.ts';
import { DatabaseError } from '#platform/db/migrate.ts';
import { MIGRATIONS } from '#platform/db/migrations.ts';
import { type Db, openDb } from '#platform/db/open.ts';
import { loginSessions, users } from '#platform/db/schema.ts';
import { createHandScheduler } from '#support/handScheduler.ts';
import { tempFolders } from '#support/tempFolder.ts';

const folder = tempFolders();
const NOW = Date.UTC(2026, 10, 18);
type Migrations = typeof MIGRATIONS;

const open = (path: string, migrations: Migrations = MIGRATIONS, more: { mayMigrate?: boolean } = {}) =>
  openDb({ path: join(path, 'b.db'), copyFolder: join(path, 'backups'), now: NOW, migrations, ...more });

const addUser = (db: Db) =>
  db
    .insert(users)
    .values({ username: 'Anna', usernameKey: 'anna', passwordHash: 'x', createdAt: NOW })
    .returning()
    .get();

/** The folder of a database with a user and her session. */
function withAnna(): string {
  const path = folder();
  const { db } = open(path);
  const { id } = addUser(db);
  db.insert(loginSessions).values({ id: 's', userId: id, createdAt: NOW, expiresAt: NOW }).run();
  db.$client.close();
  return path;
}

/** A migration after all others. */
const next = (sql: string[], name = 'next', before: Migrations = MIGRATIONS): Migrations => [
  ...before,
  { tag: name, sql, bps: true, folderMillis: (before.at(-1)?.folderMillis ?? 0) + 1, hash: name },
];

test('opening sets the pragmas that SQLite does not', () => {
  const { db } = open(folder());
  const read = (name: string) => Object.values(db.$client.query(`PRAGMA ${name}`).get() as object)[0];
  expect(read('busy_timeout')).toBe(5000);
  expect(read('journal_mode')).toBe('wal');
  expect(read('synchronous')).toBe(2);
  expect(read('foreign_keys')).toBe(1);
  expect(read('temp_store')).toBe(2);
  db.$client.close();
});

describe('migrating', () => {
  test('copies an existing database before it changes it, and keeps the rows', () => {
    const path = withAnna();
    const { db, copy } = open(path, next(['ALTER TABLE users ADD COLUMN motto text']));
    expect(db.$client.query('SELECT username, motto FROM users').all()).toEqual([
      { username: 'Anna', motto: null },
    ]);
    db.$client.close();
    expect(copy).toStartWith(join(path, 'backups', 'before-next-'));
    const kept = new Database(copy ?? '', { readonly: true });
    expect(kept.query('SELECT username FROM users').all()).toEqual([{ username: 'Anna' }]);
    expect(() => kept.query('SELECT motto FROM users').all()).toThrow();
    kept.close();
  });

  test('keeps rows that reference a rebuilt table', () => {
    const path = withAnna();
    const first = open(path).db.$client;
    const table = first
      .query<{ sql: string }, []>(`SELECT sql FROM sqlite_master WHERE name = 'users'`)
      .get();
    first.close();
    const rebuild = [
      'CREATE TABLE copy AS SELECT * FROM users',
      'DROP TABLE users',
      table?.sql ?? '',
      'INSERT INTO users SELECT * FROM copy',
      'DROP TABLE copy',
    ];
    const { db } = open(path, next(rebuild));
    expect(db.select().from(loginSessions).all()).toHaveLength(1);
    db.$client.close();
  });

  test.each([
    ['fails', 'CREATE NONSENSE', DatabaseError],
    [
      'leaves broken references',
      'DELETE FROM users',
      'The migrated database has rows with broken references.',
    ],
  ])('rolls back a migration that %s, and refuses it at every start', (_, sql, error) => {
    const path = withAnna();
    const bad = next(['ALTER TABLE users ADD COLUMN motto text', sql]);
    for (const _start of ['first', 'second']) expect(() => open(path, bad)).toThrow(error);
    const copies = readdirSync(join(path, 'backups'));
    expect(copies).toHaveLength(1);
    for (const file of [join(path, 'b.db'), join(path, 'backups', copies[0] ?? '')]) {
      const { db } = openDb({ path: file, copyFolder: null, now: NOW });
      expect(db.select().from(users).all()).toMatchObject([{ username: 'Anna' }]);
      expect(db.select().from(loginSessions).all()).toHaveLength(1);
      expect(() => db.$client.query('SELECT motto FROM users')).toThrow();
      expect(db.$client.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
      db.$client.close();
    }
  });

  test('keeps the copies of earlier versions across repeated failed starts', () => {
    const path = folder();
    open(path).db.$client.close();
    const good = next(['SELECT 1'], 'good');
    open(path, good).db.$client.close();
    const migrations = next(['NONSENSE'], 'bad', good);
    for (let start = 0; start < 5; start += 1) {
      const now = NOW + start;
      const attempt = () =>
        openDb({ path: join(path, 'b.db'), copyFolder: join(path, 'backups'), now, migrations });
      expect(attempt).toThrow(DatabaseError);
    }
    const tags = readdirSync(join(path, 'backups')).map((name) => name.split('-')[1]);
    expect(tags.sort()).toEqual(['bad', 'good']);
  });

  test('leaves a database of a newer version untouched and reports it', () => {
    const path = folder();
    open(path, next(['ALTER TABLE users ADD COLUMN motto text'])).db.$client.close();
    expect(() => open(path)).toThrow(/newer version of Bellbird/);
  });

  test('refuses to migrate the database of a running server', () => {
    const path = folder();
    open(path).db.$client.close();
    expect(() => open(path, next(['SELECT 1']), { mayMigrate: false })).toThrow(/Stop it/);
    open(path, MIGRATIONS, { mayMigrate: false }).db.$client.close();
  });

  test('refuses a database with an unknown schema', () => {
    const path = folder();
    const { db } = open(path);
    db.$client.run("UPDATE __drizzle_migrations SET hash = 'another'");
    db.$client.close();
    expect(() => open(path)).toThrow(/does not know/);
  });

  test('keeps the newest three copies', () => {
    const path = folder();
    open(path).db.$client.close();
    let known: Migrations = MIGRATIONS;
    for (const index of [1, 2, 3, 4, 5]) {
      known = next(['SELECT 1'], `t${index}`, known);
      open(path, known).db.$client.close();
    }
    const copies = readdirSync(join(path, 'backups'));
    expect(copies).toHaveLength(3);
    expect(copies.filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

test('the lock of a data folder ends with its process, however that ends', async () => {
  const path = folder();
  const holder = Bun.spawn([process.execPath, '-e', holdScript(path)], {
    cwd: join(import.meta.dir, '../../..'),
    stdout: 'pipe',
    stderr: 'ignore',
  });
  try {
    const reader = holder.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('locked');
    expect(() => lockData(path, 0)).toThrow(/already running/);
  } finally {
    holder.kill('SIGKILL');
    await holder.exited;
  }
  lockData(path, 0).release();
});

const holdScript = (path: string): string => `
  import { lockData } from './src/platform/db/lock.ts';
  const lock = lockData(${JSON.stringify(path)}, 0);
  console.log('locked');
  setInterval(() => lock, 1000);
`;

test('a reader that blocks the checkpoint is logged once, and pages move to the file when it is done', () => {
  const { db } = openDb({ path: join(folder(), 'bellbird.db'), copyFolder: null, now: 0 });
  db.$client.run('CREATE TABLE filling (text TEXT)');
  db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const lines: LogLine[] = [];
  const hand = createHandScheduler(0);
  createCheckpoints({ db, log: createLog((line) => lines.push(line)) }, hand.schedule).start();
  const reader = new Database(db.$client.filename, { readonly: true });
  reader.run('BEGIN');
  reader.query('SELECT count(*) FROM filling').get();
  // Each row takes a page.
  db.transaction(() => {
    const add = db.$client.query('INSERT INTO filling VALUES (?)');
    for (let row = 0; row < 16_500; row += 1) add.run('x'.repeat(4000));
  });
  hand.advance(3000);
  expect(lines.map(({ message }) => message)).toEqual([
    expect.stringContaining('Another program has been reading the database'),
  ]);
  reader.close();
  hand.advance(1000);
  expect(waitingPages(db)).toBe(0);
  expect(lines.length).toBe(1);
  db.$client.close();
});
