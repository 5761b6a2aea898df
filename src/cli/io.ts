import type { Assets } from '../platform/http/assets.ts';
import type { SystemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { About } from '../platform/install/about.ts';
import type { OwnProcess } from '../platform/install/shared/ownProcess.ts';
import type { Program } from '../platform/install/shared/processControl.ts';

export type RunDeps = { io: Io; openAssets(): Assets | Promise<Assets>; signals: Signals };

export type Io = {
  env: Record<string, string | undefined>;
  wall: SystemClock;
  about: About;
  program: Program;
  /** This process. Absent inside another program, such as a test, so that no process is started or ended. */
  self?: OwnProcess;
  out(line: string): void;
  hasColours?: boolean;
  err(line: string): void;
  /** Asks for a secret without echo, or reads the next line of a pipe. Null without input. */
  readSecret(prompt: string): Promise<string | null>;
  /** Asks at the terminal. Null without a terminal, or if the person cancels. */
  ask(prompt: string): Promise<string | null>;
  /** Restores the usual early compilation, which the executable delays. Absent inside another program. */
  compileEarly?(): void;
};

/**
 * `restart` is not 0, so that a supervisor that only restarts failed processes restarts it too. A restart
 * can't repair `settings`. The systemd unit names both (`deploy/systemd/bellbird.service`).
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, restart: 75, settings: 78 } as const;

export class UsageError extends Error {
  override name = 'UsageError';
}

export type Signals = {
  onStop(listener: (signal: NodeJS.Signals) => void): void;
  onCrash(listener: (error: unknown, kind: string) => void): void;
};

/** Time to stop before the process exits anyway, ms. */
export const STOP_WITHIN_MS = 10_000;

/**
 * Waits until this process must end.
 * @returns `ended`, the exit code after a signal or an uncaught exception; `end` resolves it with another
 * code
 */
export function untilStopped(log: Log, signals: Signals) {
  const { promise, resolve } = Promise.withResolvers<number>();
  signals.onStop((signal) => {
    log.info('Stopping', { signal });
    resolve(EXIT.ok);
  });
  signals.onCrash((error, kind) => {
    log.error('Uncaught error; this is a bug in Bellbird', { kind, error });
    if (kind === 'uncaughtException') resolve(EXIT.failed);
  });
  return { ended: promise, end: resolve };
}
