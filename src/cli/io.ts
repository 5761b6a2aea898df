import type { About } from '../about.ts';
import type { SystemClock } from '../lib/clock.ts';

/** What a command needs of the world; a test passes its own. */
export type Io = {
  env: Record<string, string | undefined>;
  wall: SystemClock;
  about: About;
  /** Prints a line to the standard output. */
  out(line: string): void;
  /** Prints a line to the standard error. */
  err(line: string): void;
  /** Asks for a secret without showing it; from a pipe, the next line. Null when there is none. */
  readSecret(prompt: string): Promise<string | null>;
};

/** Exit codes: all went well, it did not work, the command line makes no sense. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** The command line makes no sense; the message says how it should look. */
export class UsageError extends Error {
  override name = 'UsageError';
}
