import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Migration = { tag: string; sql: string[]; bps: boolean; folderMillis: number; hash: string };

type Journal = { entries: { tag: string; when: number; breakpoints: boolean }[] };

/** @returns all migrations of a folder in the order of the journal */
export function readMigrations(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  return journal.entries.map(({ tag, when, breakpoints }) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    return {
      tag,
      sql: sql.split('--> statement-breakpoint'),
      bps: breakpoints,
      folderMillis: when,
      hash: createHash('sha256').update(sql).digest('hex'),
    };
  });
}

/**
 * The migrations of this program, in order. The build replaces this module (`scripts/build/executable.ts`),
 * because an executable has no folder. A macro does not work, because Bun skips macros while a plugin is loaded and
 * caches the module.
 */
export const MIGRATIONS: readonly Migration[] = readMigrations(join(import.meta.dir, '../../../migrations'));
