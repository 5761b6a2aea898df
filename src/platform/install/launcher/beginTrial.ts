import { Database } from 'bun:sqlite';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockData } from '#platform/db/lock.ts';
import { syncFile, syncFolder } from '#lib/writeDurably.ts';
import { updateFolder, writeLastState, writeUpdateState } from '../shared/updateFile.ts';
import type { UpdateState, UpdateStep } from '../shared/updateState.ts';

export const TRIAL_STEP = 'Try the new version';

/** Writes a complete copy of the database, which nobody has open. @returns where it lies */
function copyDatabase(database: string, folder: string): string {
  const copy = join(updateFolder(folder), 'bellbird.db.before');
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  // Not read only: what a kill left in the log is brought in first.
  const client = new Database(database, { create: false, readwrite: true, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    client.query('VACUUM INTO ?1').run(partial);
  } catch (error) {
    // On a full disk the rest of it would be in the way of all that follows.
    rmSync(partial, { force: true });
    throw error;
  } finally {
    client.close();
  }
  syncFile(partial);
  renameSync(partial, copy);
  syncFolder(dirname(copy));
  return copy;
}

export type TrialFiles = {
  folder: string;
  /** The database's file. */
  database: string;
  /** Epoch ms. */
  now: number;
};

/**
 * Notes one more start of the new version. Before the first that will migrate the database, a copy of that is made: no
 * server runs now, so nothing that was acknowledged is missing in it.
 *
 * @returns the state as it stands then
 * @throws DatabaseError when another process has the data folder; what SQLite or the file system says when the copy
 *   can't be made
 */
export function beginTrial(state: UpdateState, { folder, database, now }: TrialFiles): UpdateState {
  const lock = lockData(folder, 12_000);
  try {
    const needsCopy = state.migrations > 0 && state.database === null && existsSync(database);
    const copy = needsCopy ? copyDatabase(database, folder) : state.database;
    const step: UpdateStep = {
      name: TRIAL_STEP,
      startedAt: now,
      endedAt: null,
      outcome: 'running',
      detail: null,
    };
    const steps = [...state.steps.filter(({ name }) => name !== TRIAL_STEP), step];
    const begun: UpdateState = { ...state, database: copy, starts: state.starts + 1, steps };
    writeUpdateState(folder, begun);
    return begun;
  } finally {
    lock.release();
  }
}

/** Notes how a trial ended that went well. The copy of the old database is of no use any more. */
export function endTrialWell(
  state: UpdateState,
  { folder, now }: Pick<TrialFiles, 'folder' | 'now'>,
  detail: string,
): void {
  const steps = state.steps.map((step) =>
    step.name === TRIAL_STEP ? { ...step, endedAt: now, outcome: 'done' as const, detail } : step,
  );
  writeLastState(folder, { ...state, phase: 'healthy', steps });
  if (state.database !== null) rmSync(state.database, { force: true });
}
