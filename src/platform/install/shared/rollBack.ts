import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockData } from '#platform/db/lock.ts';
import { isNoRoom } from '#lib/errors.ts';
import { syncFolder } from '#lib/files.ts';
import { moveCheckout } from './checkoutMove.ts';
import { swapBack } from './swap.ts';
import { writeLastState, writeUpdateState } from './updateFile.ts';
import type { UpdateState, UpdateStep } from './updateState.ts';

/**
 * Puts a copy in the place of the database, by its name alone: on a full disk that still can be done, and makes room.
 * Cut off anywhere it is begun again, and nobody opens the database meanwhile, as every start looks at the update's
 * state first. A copy that is not there any more is in its place already.
 */
function putDatabaseBack(database: string, copy: string): void {
  if (!existsSync(copy)) return;
  // Before the rename: the log of the newer database must never be read into the older one.
  for (const side of ['-wal', '-shm']) rmSync(`${database}${side}`, { force: true });
  syncFolder(dirname(database));
  renameSync(copy, database);
  syncFolder(dirname(database));
  syncFolder(dirname(copy));
}

/** @returns null when it stands where it did, else why not: that keeps nothing from running */
function moveCheckoutBack(
  { folder, from, to }: NonNullable<UpdateState['checkout']>,
  isTorn: boolean,
): string | null {
  return moveCheckout(Bun.which('git'), { folder, from: to, to: from }, { isTorn });
}

export type RollBackOptions = {
  folder: string;
  /** The database's file. */
  database: string;
  /** Epoch ms. */
  now: number;
  /** How long to wait for a server that is about to end. */
  waitMs?: number;
};

const END_WITHIN_MS = 12_000;

const STEP = 'Roll back';

/**
 * Notes it unless there is no room for that. Cut off after it all the same, the next start tries what is in the
 * executable's place by then, sees that this is not the new version, and comes here again.
 */
function noteIfRoom(folder: string, state: UpdateState): void {
  try {
    writeUpdateState(folder, state);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
  }
}

/** The steps with the unfinished ones ended as failed. */
const ended = (steps: readonly UpdateStep[], now: number): UpdateStep[] =>
  steps.map((step) =>
    step.outcome === 'running' ? { ...step, endedAt: now, outcome: 'failed' as const } : step,
  );

/**
 * Puts the old executable back in its place, and the old database when there is a copy of it. Nothing may have the data
 * folder open. Doing it again, after it was cut off anywhere, comes to the same.
 *
 * @param failure the sentence that says why
 * @returns the state as it stands then
 * @throws DatabaseError when another process has the data folder; the file system's error when something can't be put
 *   back: the state then says that it is to be gone on with
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
