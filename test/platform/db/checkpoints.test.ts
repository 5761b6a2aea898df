import { afterEach, describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { createCheckpoints, waitingPages } from '../../../src/platform/db/checkpoints.ts';
import { type Db, openDb } from '../../../src/platform/db/open.ts';
import { createLog, type LogLine } from '../../../src/lib/log.ts';
import { createHandScheduler } from '../../support/handScheduler.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const opened: Db[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.$client.close();
});
const folder = tempFolders();

function stage() {
  const { db } = openDb({ path: join(folder(), 'bellbird.db'), copyFolder: null, now: 0 });
  opened.push(db);
  db.$client.run('CREATE TABLE filling (text TEXT)');
  db.$client.run('PRAGMA wal_checkpoint(TRUNCATE)');
  const lines: LogLine[] = [];
  const hand = createHandScheduler(0);
  const checkpoints = createCheckpoints({ db, log: createLog((line) => lines.push(line)) }, hand.schedule);
  /** Each row takes a page. */
  const write = (rows: number): void =>
    db.transaction(() => {
      const add = db.$client.query('INSERT INTO filling VALUES (?)');
      for (let row = 0; row < rows; row += 1) add.run('x'.repeat(4000));
    });
  return { db, checkpoints, hand, write, lines };
}

describe('moving pages into the database file', () => {
  test('is left to the time between transactions', () => {
    const { db, checkpoints, hand, write } = stage();
    checkpoints.start();
    write(1500);
    expect(waitingPages(db)).toBeGreaterThanOrEqual(1500);
    hand.advance(1000);
    expect(waitingPages(db)).toBe(0);
    write(1100);
    hand.advance(1000);
    expect(waitingPages(db)).toBe(0);
  });

  test('waits for some pages, as each time waits for the disk', () => {
    const { db, checkpoints, hand, write } = stage();
    checkpoints.start();
    write(700);
    hand.advance(10_000);
    expect(waitingPages(db)).toBeGreaterThanOrEqual(700);
    write(400);
    hand.advance(1000);
    expect(waitingPages(db)).toBe(0);
  });

  test('is done by a commit that finds very many, where nothing else does it', () => {
    const { db, write } = stage();
    write(4500);
    expect(waitingPages(db)).toBe(0);
  });

  test('ends at the stop, and begins once however often it is started', () => {
    const { checkpoints, hand } = stage();
    checkpoints.start();
    checkpoints.start();
    expect(hand.planned()).toEqual([1000]);
    hand.advance(1000);
    checkpoints.stop();
    checkpoints.stop();
    expect(hand.planned()).toEqual([]);
  });

  test('says once that it fails, and goes on', () => {
    const { db, checkpoints, hand, lines } = stage();
    checkpoints.start();
    db.$client.close();
    hand.advance(5000);
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
    expect(hand.planned()).toEqual([1000]);
  });

  test('says once that another program keeps them from being moved, and moves them when it is done', () => {
    const { db, checkpoints, hand, write, lines } = stage();
    checkpoints.start();
    const reader = new Database(db.$client.filename, { readonly: true });
    reader.run('BEGIN');
    reader.query('SELECT count(*) FROM filling').get();
    write(16_500);
    hand.advance(3000);
    expect(lines.map(({ message }) => message)).toEqual([
      expect.stringContaining('Another program has been reading the database'),
    ]);
    reader.close();
    hand.advance(1000);
    expect(waitingPages(db)).toBe(0);
    expect(lines.length).toBe(1);
  });

  test('has nothing to do in memory', () => {
    const { db } = openDb({ path: ':memory:', copyFolder: null, now: 0 });
    opened.push(db);
    expect(waitingPages(db)).toBe(0);
  });
});
