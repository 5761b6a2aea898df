import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { lockData } from '../db/lock.ts';
import { syncFile, syncFolder } from '../lib/writeDurably.ts';
import { moveCheckout } from './checkoutMove.ts';
import { swapBack } from './swap.ts';
import { writeUpdateState } from './updateFile.ts';
import type { UpdateState, UpdateStep } from './updateState.ts';

/**
 * Puts a copy in the place of the database. Cut off anywhere it is begun again: the copy stays until the end, and nobody
 * opens the database meanwhile, as every start looks at the update's state first.
 */
function putDatabaseBack(database: string, copy: string): void {
  if (!existsSync(copy)) return;
  const back = `${database}.back`;
  copyFileSync(copy, back);
  syncFile(back);
  // Before the rename: the log of the newer database must never be read into the older one.
  for (const side of ['-wal', '-shm']) rmSync(`${database}${side}`, { force: true });
  syncFolder(dirname(database));
  renameSync(back, database);
  syncFolder(dirname(database));
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
    writeUpdateState(folder, rolling);
    if (state.previous !== null) swapBack(state.executable, state.previous);
    const detail = state.checkout && moveCheckoutBack(state.checkout, state.phase === 'swapping');
    if (state.database !== null) putDatabaseBack(database, state.database);
    const done: UpdateState = {
      ...rolling,
      phase: 'rolledBack',
      steps: [...begun, { ...step, endedAt: now, outcome: 'done', detail }],
    };
    writeUpdateState(folder, done);
    if (state.database !== null) rmSync(state.database, { force: true });
    return done;
  } finally {
    lock.release();
  }
}
