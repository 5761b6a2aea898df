import type { ParentLine } from './ownProcess.ts';
import type { Trial } from './processControl.ts';
import { readUpdateState } from './updateFile.ts';

/**
 * Whether this server is a new version on trial, by the state of the update, and when that is over, by the word of the
 * process that watches it.
 *
 * @param folder the data folder
 */
export function createTrial(folder: string, parent: ParentLine | null): Trial {
  const state = parent === null ? null : readUpdateState(folder);
  let isRunning = state?.phase === 'trial';
  const mayComeBack = (state?.migrations ?? 0) > 0;
  const waiting: (() => void)[] = [];
  parent?.onMessage((message) => {
    if ((message as { type?: unknown } | null)?.type !== 'trialOver') return;
    isRunning = false;
    for (const run of waiting.splice(0)) run();
  });
  const holdsChanges = (): boolean => isRunning && mayComeBack;
  const later = (isHeld: boolean, run: () => void): void => {
    if (isHeld) waiting.push(run);
    else run();
  };
  return {
    isRunning: () => isRunning,
    holdsChanges,
    whenOver: (run) => later(isRunning, run),
    whenChangesOpen: (run) => later(holdsChanges(), run),
  };
}
