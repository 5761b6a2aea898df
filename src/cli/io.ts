import type { About } from '../platform/install/about.ts';
import type { Program } from '../platform/install/shared/program.ts';
import type { OwnProcess } from '../platform/install/shared/ownProcess.ts';
import type { SystemClock } from '../lib/clock.ts';

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
