import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup, writeBackupInto } from '#platform/db/backup.ts';
import { lockFile } from '#platform/db/lock.ts';
import { MIGRATIONS } from '#platform/db/migrations.ts';
import { openDb } from '#platform/db/open.ts';
import { restoreBackup } from '#platform/db/restore.ts';
import { makeDatabase, usernamesIn } from '#support/backupFolder.ts';
import { tempFolders } from '#support/tempFolder.ts';

const newFolder = tempFolders();
const NOW = Date.UTC(2026, 10, 22, 16, 10);
const KEPT = 'bellbird.db.replaced-2026-11-22T16-10-00-000Z';

/** A database with user Anna, and a backup with user Bert. */
function setUp() {
  const folder = newFolder();
  const database = makeDatabase(folder, 'anna');
  const file = makeDatabase(newFolder(), 'bert', 'backup.db');
  return { folder, database, file };
}

/** A refused restore must leave no files. */
function expectUntouched({ folder, database }: { folder: string; database: string }): void {
  expect(readdirSync(folder)).toEqual(['bellbird.db']);
  expect(usernamesIn(database)).toEqual(['anna']);
}

describe('a backup', () => {
  test('is complete and compact, and leaves no other file next to it', () => {
    const { folder, database } = setUp();
    const target = join(folder, 'copies', 'a.db');
    expect(writeBackup(database, target)).toBe(readFileSync(target).length);
    expect(readdirSync(join(folder, 'copies'))).toEqual(['a.db']);
    expect(usernamesIn(target)).toEqual(['anna']);
  });

  test('contains what a running server wrote but has not yet moved to its file', () => {
    const { folder, database } = setUp();
    const { db } = openDb({ path: database, copyFolder: null, now: 0 });
    db.$client.run("INSERT INTO facts VALUES ('a', '1')");
    expect(readFileSync(`${database}-wal`).length).toBeGreaterThan(0);
    const target = join(folder, 'a.db');
    writeBackup(database, target);
    const copy = new Database(target, { readonly: true });
    expect(copy.query('SELECT value FROM facts').get()).toEqual({ value: '1' });
    copy.close();
    db.$client.close();
  });

  test('overwrites nothing', () => {
    const { folder, database } = setUp();
    const target = join(folder, 'mine.txt');
    writeFileSync(target, 'mine');
    expect(() => writeBackup(database, target)).toThrow(/The file .*mine\.txt already exists/);
    expect(readFileSync(target, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['bellbird.db', 'mine.txt']);
  });

  test('cannot be made from a missing or damaged database', () => {
    const { folder, database } = setUp();
    expect(() => writeBackup(join(folder, 'no.db'), join(folder, 'a.db'))).toThrow(
      /The database .*no\.db does not exist yet/,
    );
    const bytes = readFileSync(database);
    bytes.fill(0xff, 8192, bytes.length - 4096);
    writeFileSync(database, bytes);
    expect(() => writeBackup(database, join(folder, 'a.db'))).toThrow(/is damaged .*Restore an earlier one/);
    expect(readdirSync(folder)).toEqual(['bellbird.db']);
  });

  test('in the backup folder is made one at a time, and removes leftovers of a killed one', () => {
    const { folder, database } = setUp();
    const backups = join(folder, 'backups');
    writeBackupInto(database, backups, 'nightly-1.db');
    writeFileSync(join(backups, 'nightly-0.db.partial'), 'half');
    writeFileSync(join(backups, 'before-x.db.partial'), 'half');
    const lock = lockFile(join(backups, 'backup.lock'), 0);
    expect(() => writeBackupInto(database, backups, 'nightly-2.db')).toThrow(/Another backup is being made/);
    lock?.release();
    writeBackupInto(database, backups, 'nightly-2.db');
    expect(readdirSync(backups).sort()).toEqual([
      'backup.lock',
      'before-x.db.partial',
      'nightly-1.db',
      'nightly-2.db',
    ]);
  });
});

describe('a restore', () => {
  test('replaces the database, which is kept next to the new one', () => {
    const { folder, database, file } = setUp();
    expect(restoreBackup(file, database, NOW)).toEqual({ kept: join(folder, KEPT), pending: 0 });
    expect(readdirSync(folder).sort()).toEqual(['bellbird.db', KEPT]);
    expect(usernamesIn(database)).toEqual(['bert']);
    expect(usernamesIn(join(folder, KEPT))).toEqual(['anna']);
    expect(usernamesIn(file)).toEqual(['bert']);
  });

  test('keeps the log of a killed server with the old database, not with the new one', () => {
    const { folder, database, file } = setUp();
    const { db } = openDb({ path: database, copyFolder: null, now: 0 });
    db.$client.run("UPDATE users SET username = 'last words'");
    // As after a kill: the log is not in the file, and no process has either open.
    const killed = newFolder();
    for (const name of ['bellbird.db', 'bellbird.db-wal'])
      copyFileSync(join(folder, name), join(killed, name));
    db.$client.close();
    restoreBackup(file, join(killed, 'bellbird.db'), NOW);
    expect(readdirSync(killed).sort()).toEqual(['bellbird.db', KEPT]);
    expect(usernamesIn(join(killed, 'bellbird.db'))).toEqual(['bert']);
    expect(usernamesIn(join(killed, KEPT))).toEqual(['last words']);
  });

  test('reads a copied database with the log next to it', () => {
    const { database } = setUp();
    const folder = newFolder();
    const source = makeDatabase(folder, 'carl', 'copy.db');
    const { db } = openDb({ path: source, copyFolder: null, now: 0 });
    db.$client.run("UPDATE users SET username = 'newest'");
    restoreBackup(source, database, NOW);
    db.$client.close();
    expect(usernamesIn(database)).toEqual(['newest']);
  });

  test('of a damaged database keeps the damaged one with its log', () => {
    const { folder, database, file } = setUp();
    writeFileSync(database, 'this was a database once');
    writeFileSync(`${database}-wal`, 'its log');
    restoreBackup(file, database, NOW);
    expect(usernamesIn(database)).toEqual(['bert']);
    expect(readFileSync(join(folder, KEPT), 'utf8')).toBe('this was a database once');
    expect(readFileSync(join(folder, `${KEPT}-wal`), 'utf8')).toBe('its log');
  });

  test('ends all sessions, and marks waiting messages as possible repeats', () => {
    const { database, file } = setUp();
    const { db } = openDb({ path: file, copyFolder: null, now: 0 });
    db.$client.run("INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES ('s', 1, 0, 9e15)");
    db.$client.run(
      `INSERT INTO outbox (platform, chat_id, message, nonce, status, created_at, due_at) VALUES
       ('telegram', '1', '{}', 'a', 'waiting', 5, 5), ('telegram', '1', '{}', 'b', 'sent', 5, 5)`,
    );
    db.$client.close();
    restoreBackup(file, database, NOW);
    const restored = new Database(database);
    expect(restored.query('SELECT revoked_at AS at FROM sessions').get()).toEqual({ at: NOW });
    expect(restored.query('SELECT uncertain_since AS since FROM outbox ORDER BY id').all()).toEqual([
      { since: 5 },
      { since: null },
    ]);
    restored.close();
  });

  test('of an older version reports the pending migrations, which the next start runs', () => {
    const { database } = setUp();
    for (const count of [1, 12, MIGRATIONS.length - 1]) {
      const file = join(newFolder(), 'old.db');
      const migrations = MIGRATIONS.slice(0, count);
      openDb({ path: file, copyFolder: null, now: 0, migrations }).db.$client.close();
      expect(restoreBackup(file, database, NOW + count).pending).toBe(MIGRATIONS.length - count);
      expect(usernamesIn(database)).toEqual([]);
    }
  });
});

describe('a restore is refused with a sentence, and the database is unchanged', () => {
  /** Damages the file. @returns the file to restore, if it is another one */
  type Damage = (file: string, database: string) => string | void;
  const cases: [string, Damage, RegExp][] = [
    ['of a missing file', (file) => `${file}.none`, /^The file .*none does not exist/],
    ['of the database itself', (_, database) => database, /is the database itself/],
    ['of an empty file', (file) => truncateSync(file, 0), /is empty/],
    [
      'of a file that is not a database',
      (file) => {
        writeFileSync(file, 'a letter to grandmother, long enough to be more than a header '.repeat(100));
      },
      /is not a database/,
    ],
    ['of a file truncated anywhere', (file) => truncateSync(file, 51_111), /is damaged/],
    [
      'of a file with a hole',
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0, 20_480, 40_960);
        writeFileSync(file, bytes);
      },
      /is damaged/,
    ],
    [
      'of another program’s database',
      (file) => {
        const path = join(file, '..', 'other.db');
        const client = new Database(path);
        client.run('CREATE TABLE songs (name text)');
        client.close();
        return path;
      },
      /not one of Bellbird/,
    ],
    ...(
      [
        [
          'a newer version',
          "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 99999999999999)",
          /newer version of Bellbird/,
        ],
        [
          'a trigger that grants rights',
          'CREATE TRIGGER rise AFTER INSERT ON users BEGIN UPDATE users SET level = 5; END',
          /its trigger rise was added/,
        ],
        ['a view', 'CREATE VIEW names AS SELECT username FROM users', /its view names was added/],
        ['an extra table', 'CREATE TABLE songs (name text)', /its table songs was added/],
        ['an extra index', 'CREATE INDEX odd ON users (abs(id))', /its index odd was added/],
        ['an extra column', 'ALTER TABLE users ADD COLUMN odd text', /its table users was .*changed/],
        ['a missing table', 'DROP TABLE facts', /its table facts was .*removed/],
        [
          'a view instead of a table',
          'ALTER TABLE facts RENAME TO kept; CREATE VIEW facts AS SELECT * FROM kept',
          /its table kept was added/,
        ],
      ] as const
    ).map(([what, sql, sentence]): [string, Damage, RegExp] => [
      `of a file with ${what}`,
      (file) => {
        const client = new Database(file);
        client.run(sql);
        client.close();
      },
      sentence,
    ]),
  ];
  test.each(cases)('%s', (_, damage, sentence) => {
    const { folder, database, file } = setUp();
    expect(() => restoreBackup(damage(file, database) ?? file, database, NOW)).toThrow(sentence);
    expectUntouched({ folder, database });
  });

  test('while another program reads the database', () => {
    const { folder, database, file } = setUp();
    const reader = new Database(database);
    reader.run('PRAGMA journal_mode = WAL');
    const writer = new Database(database);
    reader.run('BEGIN');
    reader.query('SELECT * FROM users').all();
    writer.run("UPDATE users SET username = 'later'");
    expect(() => restoreBackup(file, database, NOW)).toThrow(/Another program is reading/);
    reader.run('COMMIT');
    reader.close();
    writer.close();
    expect(usernamesIn(database)).toEqual(['later']);
    expect(existsSync(join(folder, KEPT))).toBe(false);
  });
});
