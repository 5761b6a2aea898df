import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One migration as drizzle's dialect takes it, and the name of its file. */
export type Migration = { tag: string; sql: string[]; bps: boolean; folderMillis: number; hash: string };

type Journal = { entries: { tag: string; when: number; breakpoints: boolean }[] };

/**
 * Reads the migrations folder. Called as a Bun macro, so that the SQL becomes part of the executable, beside which there
 * is no folder; under `bun run` and `bun test` the macro runs when the module is loaded.
 *
 * @returns all migrations in the order of the journal
 */
export function loadMigrations(): Migration[] {
  const folder = join(import.meta.dir, '../../../migrations');
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
