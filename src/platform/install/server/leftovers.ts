import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { nextPath, previousPath } from '../shared/swap.ts';
import { readUpdateState, updateFolder, writeUpdateState } from '../shared/updateFile.ts';

const WORK = 'work-';

/** The folder of one update. @param id random, of letters, digits and dashes */
export const workFolder = (dataFolder: string, id: string): string =>
  join(updateFolder(dataFolder), `${WORK}${id}`);

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Removes what earlier updates left. Call it only while none runs. */
export async function clearLeftovers(dataFolder: string, executable: string): Promise<void> {
  const folder = updateFolder(dataFolder);
  const works = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(WORK)) : [];
  const besides = [nextPath(executable), `${previousPath(executable)}.partial`, `${executable}.back`];
  // In a read-only folder even removing a missing file fails.
  const paths = [...works.map((name) => join(folder, name)), ...besides].filter(isThere);
  for (const path of paths) {
    await rm(path, { recursive: true, force: true });
  }
}

const CUT_OFF =
  'The server ended while the update was being prepared. The version that ran before goes on as it was.';

/** Ends an update that was interrupted before the swap, because it changed nothing. @param now epoch ms */
export function settleCutOff(dataFolder: string, now: number): void {
  const state = readUpdateState(dataFolder);
  if (state?.phase !== 'preparing') return;
  const steps = state.steps.map((step) =>
    step.endedAt === null ? { ...step, endedAt: now, outcome: 'failed' as const } : step,
  );
  writeUpdateState(dataFolder, { ...state, phase: 'failed', failure: CUT_OFF, steps });
}
