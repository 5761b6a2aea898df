import { Database } from 'bun:sqlite';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPaths } from '#src/dataPaths.ts';
import { withFiles } from '#lib/fileRights.ts';
import { parseJson } from '#lib/json.ts';
import { formOf } from '#sources/lastGoodAnswer.ts';
import { readUpdateState } from '#platform/install/shared/updateFile.ts';
import { harmlessLine } from './logLines.ts';

const LOG_BYTES = 2 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
const REAL_SOURCES = ['tradingview', 'asx', 'fxstreet'];
const MAX_LINES = 5000;
const TABLE = /^\w{1,80}$/;

/** How many rows each table has, and which migrations were applied; nothing of what stands in them. */
export function databaseFacts(path: string): object {
  if (!existsSync(path)) return { found: false };
  const client = new Database(path, { readonly: true, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    const names = client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => name)
      .filter((name) => TABLE.test(name));
    const count = (name: string): number =>
      client.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}"`).get()?.n ?? 0;
    const rows = Object.fromEntries(names.map((name) => [name, count(name)]));
    const last = client
      .query<{ at: number | null }, []>('SELECT max(created_at) AS at FROM __drizzle_migrations')
      .get();
    return { found: true, rows, lastMigration: last?.at ?? null };
  } finally {
    client.close();
  }
}

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** How large the data are; no names, as people may have chosen some. */
export function dataSizes(paths: DataPaths): object {
  const folder = (path: string) => {
    const files = withFiles(path).slice(1);
    return { files: files.length, bytes: files.reduce((sum, file) => sum + bytesOf(file), 0) };
  };
  return {
    database: bytesOf(paths.database),
    log: bytesOf(`${paths.database}-wal`),
    backups: folder(paths.backups),
    recordings: folder(paths.recordings),
    logs: folder(paths.logs),
  };
}

/** How the last update stands, without whoever began it, paths, addresses and what commands printed. */
export function updateFacts(paths: DataPaths): object | null {
  const state = readUpdateState(paths.folder);
  if (state === null) return null;
  const { phase, startedAt, starts, migrations, failure, steps } = state;
  const ended = steps.map((step) => ({
    outcome: step.outcome,
    ms: (step.endedAt ?? step.startedAt) - step.startedAt,
  }));
  return { phase, startedAt, starts, migrations, hasFailure: failure !== null, steps: ended };
}

/**
 * The forms of each source's last good answer before they changed: fields, figures and times, without texts.
 * One that can't be read is left out.
 */
export function lastAnswers(paths: DataPaths): object {
  const found = REAL_SOURCES.flatMap((source) => {
    const path = join(paths.answers, `${source}.json`);
    if (!existsSync(path) || bytesOf(path) > MAX_ANSWER_BYTES) return [];
    const parsed = parseJson(readFileSync(path, 'utf8'));
    return parsed.ok ? [[source, formOf(parsed.value)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The last lines of the log, oldest first, without what may be somebody's. */
export function lastLogLines(paths: DataPaths): string[] {
  const files = ['bellbird.log.1', 'bellbird.log']
    .map((name) => join(paths.logs, name))
    .filter((path) => existsSync(path));
  return files
    .flatMap((path) => readFileSync(path).subarray(-LOG_BYTES).toString('utf8').split('\n'))
    .slice(-MAX_LINES)
    .flatMap((line) => harmlessLine(line) ?? []);
}
