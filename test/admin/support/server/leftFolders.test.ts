import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dropLeftFolders } from '../../../../src/admin/support/server/leftFolders.ts';
import { tempFolders } from '../../../support/tempFolder.ts';

const newFolder = tempFolders();
const NOW = Date.parse('2026-11-18T00:00:00Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const uid = process.getuid?.();

/** A temporary folder in which these were made so long ago. */
function place(...made: readonly (readonly [name: string, ageMs: number])[]) {
  const folder = newFolder();
  for (const [name, ageMs] of made) {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, 'support.tar.gz.partial'), 'half of it');
    utimesSync(path, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  }
  return folder;
}

test('what a killed process left is removed with all in it, once nobody can use it any more', () => {
  const folder = place(
    ['bellbird-support-aB3xYz', 11 * MINUTE],
    ['bellbird-support-young1', 9 * MINUTE],
    ['bellbird-check-aB3xYz', DAY + MINUTE],
    ['bellbird-check-young1', DAY - MINUTE],
    // A clock that was set back.
    ['bellbird-support-future', -DAY],
  );
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(2);
  expect(readdirSync(folder).sort()).toEqual([
    'bellbird-check-young1',
    'bellbird-support-future',
    'bellbird-support-young1',
  ]);
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(0);
});

test('nothing else is touched: other names, files, links and what is somebody else’s', () => {
  const folder = place(
    ['bellbird-support-mine', 9 * DAY],
    ['bellbird-support-aB3xYz.old', 9 * DAY],
    ['my-bellbird-support-aB3xYz', 9 * DAY],
    ['bellbird-test-aB3xYz', 9 * DAY],
  );
  const elsewhere = place(['kept', 9 * DAY]);
  symlinkSync(join(elsewhere, 'kept'), join(folder, 'bellbird-support-linked'));
  writeFileSync(join(folder, 'bellbird-check-aFile1'), 'x');
  utimesSync(join(folder, 'bellbird-check-aFile1'), 0, 0);
  const before = readdirSync(folder).sort();
  expect(dropLeftFolders({ folder, uid }, NOW)).toBe(0);
  const theirs = place(['bellbird-support-aB3xYz', 9 * DAY]);
  expect(dropLeftFolders({ folder: theirs, uid: (uid ?? 0) + 1 }, NOW)).toBe(0);
  expect([readdirSync(folder).sort(), existsSync(join(elsewhere, 'kept', 'support.tar.gz.partial'))]).toEqual(
    [before, true],
  );
});
