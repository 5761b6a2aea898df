import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One migration as drizzle's dialect takes it, and the name of its file. */
export type Migration = { tag: string; sql: string[]; bps: boolean; folderMillis: number; hash: string };

type Journal = { entries: { tag: string; when: number; breakpoints: boolean }[] };

/** Reads a migrations folder. @returns all migrations in the order of the journal */
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
 * The migrations of this program, in the order in which they are applied. The build puts them in the place of this module
 * (`scripts/build/executable.ts`), because an executable has no folder beside it. A macro would do the same, but Bun leaves
 * macros out while a plugin is loaded, as in component tests, and keeps such a module in its cache for every other run.
 */
export const MIGRATIONS: readonly Migration[] = readMigrations(join(import.meta.dir, '../../../migrations'));
