import type { Supervisor, SupervisorLine } from './ownProcess.ts';
import { readUpdateState } from './updateState.ts';

/** The running program's file and environment. Tests give their own. */
export type Program = {
  /** The path of the executable; Bun's own when running from the sources. */
  executable: string;
  isStandalone: boolean;
  /** The public key of releases, Ed25519 in PEM; null if the build had none. */
  releaseKey: string | null;
  env: Readonly<Record<string, string | undefined>>;
};

/** The trial of a new version; see `install/supervisor`. */
export type Trial = {
  isRunning(): boolean;
  /** True while changes are refused, because the old database may come back. */
  holdsChanges(): boolean;
  /** Calls back after a successful trial; immediately without one. */
  whenOver(run: () => void): void;
  /** Calls back when changes are allowed, possibly immediately. */
  whenChangesOpen(run: () => void): void;
};

/** Control over the server's own process. Tests give their own. */
export type ProcessControl = {
  supervisor: Supervisor;
  /** Ends this process in order, so that the next one starts. Returns immediately; further calls do nothing. */
  restart(): void;
  trial?: Trial;
};

/** The trial of this server according to the update's state. The parent process reports its end. */
export function createTrial(folder: string, parent: SupervisorLine | null): Trial {
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
