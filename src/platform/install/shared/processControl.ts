import type { Supervisor } from './ownProcess.ts';
import type { ParentLine } from './ownProcess.ts';
import { readUpdateState } from './updateFile.ts';

/** The running program as a file, and what it was started with. The entry gives it; tests give their own. */
export type Program = {
  /** The executable's path, as the process was started with; Bun's own where it runs from its sources. */
  executable: string;
  /** Whether that file is Bellbird itself, compiled. */
  isStandalone: boolean;
  /** What releases are signed with, Ed25519 in PEM; null in an executable that was built without. */
  releaseKey: string | null;
  /** What programs that are started from here inherit. */
  env: Readonly<Record<string, string | undefined>>;
};

/** A new version that runs on trial; see `install/launcher`. */
export type Trial = {
  /** Whether the trial goes on. */
  isRunning(): boolean;
  /** Whether what people would change is refused meanwhile, because the old database may come back. */
  holdsChanges(): boolean;
  /** Calls back when it is over and went well: at once when none goes on. */
  whenOver(run: () => void): void;
  /** Calls back when nothing is held any more: at once when nothing is. */
  whenChangesOpen(run: () => void): void;
};

/** What the server may ask of its own process. The entry gives it; tests give their own. */
export type ProcessControl = {
  supervisor: Supervisor;
  /** Ends this process in order, so that the next one begins. It returns at once; a second call changes nothing. */
  restart(): void;
  /** Absent where no version is ever on trial. */
  trial?: Trial;
};

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
