import type { SystemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { About } from '../platform/install/about.ts';
import type { OwnProcess } from '../platform/install/shared/ownProcess.ts';
import type { Program } from '../platform/install/shared/program.ts';

/** What a command uses of the process; a test passes its own. */
export type Io = {
  env: Record<string, string | undefined>;
  wall: SystemClock;
  about: About;
  /** The program as a file. */
  program: Program;
  /** Absent where a command runs inside another program, as in tests: then no process is started or ended. */
  self?: OwnProcess;
  /** Prints a line to the standard output. */
  out(line: string): void;
  /** Whether a person reads the standard output, who is shown colours. */
  hasColours?: boolean;
  /** Prints a line to the standard error. */
  err(line: string): void;
  /** Asks for a secret without showing it; from a pipe, the next line. Null when there is none. */
  readSecret(prompt: string): Promise<string | null>;
  /** Asks a person at a terminal. Null when there is none, or they gave up. */
  ask(prompt: string): Promise<string | null>;
  /** Has code that runs often compiled as early as usual, which the executable puts off. Absent inside another program. */
  compileEarly?(): void;
};

/**
 * Exit codes: done, failed, the command line can't be understood; ended so that the next process begins, which is none of
 * those, so that also a supervisor that only starts what failed starts it again; and settings that are wrong, which no new
 * start makes right. The unit of systemd names the last two (`deploy/systemd/bellbird.service`).
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, restart: 75, settings: 78 } as const;

/** The command line can't be understood; the message says how it should look. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Calls back on every request to stop, and on every uncaught failure. */
export type Signals = {
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  onCrash(listener: (error: unknown, kind: string) => void): void;
};

/** How long what stops may take before the process ends all the same, ms. */
export const STOP_WITHIN_MS = 10_000;

/**
 * Waits for the end of a process.
 * @returns the exit code, once it is asked to stop or an uncaught exception ends it; and what ends it with another code
 */
export function untilStopped(log: Log, signals: Signals) {
  const { promise, resolve } = Promise.withResolvers<number>();
  signals.onStop((signal) => {
    log.info('Stopping', { signal });
    resolve(EXIT.ok);
  });
  signals.onCrash((error, kind) => {
    log.error('An uncaught error; this is a fault of Bellbird', { kind, error });
    if (kind === 'uncaughtException') resolve(EXIT.failed);
  });
  return { ended: promise, end: resolve };
}
