import type { Database } from 'bun:sqlite';
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileStamp } from '../../lib/fileStamp.ts';
import { syncFolder } from '../../lib/writeDurably.ts';
import { DatabaseError } from './migrate.ts';

const MAX_COPIES = 3;

/** Leaves the newest copies, one a migration: a start that fails over and over must not push the others out. */
function dropOldCopies(folder: string, tag: string, newest: string): void {
  for (const name of readdirSync(folder)) {
    const isOfTag = name.startsWith(`before-${tag}-`) && name.endsWith('.db');
    if (isOfTag && join(folder, name) !== newest) rmSync(join(folder, name));
  }
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith('before-') && name.endsWith('.db'))
    .map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { name } of copies.slice(MAX_COPIES)) rmSync(join(folder, name));
}

/**
 * Writes a complete, compact copy of an open database into a folder. It gets its name only when it is complete; the
 * newest three copies of different migrations are kept.
 *
 * @param path the database's file, for its size
 * @param tag the first migration that is about to run
 * @param now epoch ms
 * @returns the copy's path
 * @throws DatabaseError when the disk has no room for it
 */
export function copyDatabase(
  client: Database,
  path: string,
  folder: string,
  tag: string,
  now: number,
): string {
  mkdirSync(folder, { recursive: true });
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < statSync(path).size * 2) {
    throw new DatabaseError(
      `There is not enough room in ${folder} for a copy of the database, which is kept before it is changed. ` +
        'Make room and start again.',
    );
  }
  const target = join(folder, `before-${tag}-${fileStamp(now)}.db`);
  const partial = `${target}.partial`;
  // What a kill left behind; whoever migrates holds the data folder.
  for (const name of readdirSync(folder))
    if (name.startsWith('before-') && name.endsWith('.partial')) rmSync(join(folder, name));
  client.query('VACUUM INTO ?1').run(partial);
  renameSync(partial, target);
  syncFolder(folder);
  dropOldCopies(folder, tag, target);
  return target;
}
