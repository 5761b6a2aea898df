import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockData } from '#platform/db/lock.ts';
import { isNoRoom } from '#lib/errors.ts';
import { syncFolder } from '#lib/files.ts';
import { moveCheckout, swapBack } from './swap.ts';
import { type UpdateState, type UpdateStep, writeLastState, writeUpdateState } from './updateState.ts';

/**
 * Replaces the database by a copy with a rename, which works on a full disk and frees room. It can be repeated
 * after an interruption. No process opens the database in between, because every start checks the update's state.
 * A missing copy is already in place.
 */
function putDatabaseBack(database: string, copy: string): void {
  if (!existsSync(copy)) return;
  // Deleted before the rename, because the newer database's log must never be applied to the older one.
  for (const side of ['-wal', '-shm']) rmSync(`${database}${side}`, { force: true });
  syncFolder(dirname(database));
  renameSync(copy, database);
  syncFolder(dirname(database));
  syncFolder(dirname(copy));
}

/** @returns null after a success, otherwise the reason, which does not stop the server */
function moveCheckoutBack(
  { folder, from, to }: NonNullable<UpdateState['checkout']>,
  isTorn: boolean,
): string | null {
  return moveCheckout(Bun.which('git'), { folder, from: to, to: from }, { isTorn });
}

export type RollBackOptions = {
  folder: string;
  database: string;
  now: number;
  /** How long to wait for a server that is about to end. */
  waitMs?: number;
};

const END_WITHIN_MS = 12_000;

const STEP = 'Roll back';

/**
 * Writes the state unless the disk is full. After an interruption the next start finds another version in
 * place and rolls back again.
 */
function noteIfRoom(folder: string, state: UpdateState): void {
  try {
    writeUpdateState(folder, state);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
  }
}

const ended = (steps: readonly UpdateStep[], now: number): UpdateStep[] =>
  steps.map((step) =>
    step.outcome === 'running' ? { ...step, endedAt: now, outcome: 'failed' as const } : step,
  );

/**
 * Restores the old executable, and the old database if there is a copy. No process may have the data folder open.
 * It can be repeated after an interruption.
 * @throws DatabaseError if another process has the data folder; the file system's error if something can't be
 *   restored, with a state that continues later
 */
export function rollBack(
  state: UpdateState,
  failure: string,
  { folder, database, now, waitMs = END_WITHIN_MS }: RollBackOptions,
): UpdateState {
  const lock = lockData(folder, waitMs);
  try {
    const begun = ended(state.steps, now).filter(({ name }) => name !== STEP);
    const step: UpdateStep = { name: STEP, startedAt: now, endedAt: null, outcome: 'running', detail: null };
    const rolling: UpdateState = { ...state, phase: 'rollingBack', failure, steps: [...begun, step] };
    noteIfRoom(folder, rolling);
    if (state.previous !== null) swapBack(state.executable, state.previous);
    const detail = state.checkout && moveCheckoutBack(state.checkout, state.phase === 'swapping');
    if (state.database !== null) putDatabaseBack(database, state.database);
    const done: UpdateState = {
      ...rolling,
      phase: 'rolledBack',
      steps: [...begun, { ...step, endedAt: now, outcome: 'done', detail }],
    };
    writeLastState(folder, done);
    return done;
  } finally {
    lock.release();
  }
}
