import type { Log } from '../lib/log.ts';
import { EXIT } from './io.ts';

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
