/** Why an update stops: a sentence for the administrator, and the output of the failed program. */
export class UpdateError extends Error {
  override name = 'UpdateError';
  constructor(
    message: string,
    readonly tail: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The state of an update, in `<data>/update/`. Every start reads it. */
export const UPDATE_STATE_FILE = 'state.json';

/**
 * - `preparing`: the running executable is untouched; a start only cleans up.
 * - `swapping`: the executable is being replaced; the next start restores `previous`.
 * - `trial`: the new executable is in place and not yet healthy for long enough.
 * - `rollingBack`: the old executable and database are being restored; the next start continues.
 * - the last three: it is over. `failed` never reached the swap.
 */
export const UPDATE_PHASES = [
  'preparing',
  'swapping',
  'trial',
  'rollingBack',
  'healthy',
  'rolledBack',
  'failed',
] as const;

export type UpdatePhase = (typeof UPDATE_PHASES)[number];

export type UpdateStep = {
  /** For the panel: "Fetch", "Build". */
  name: string;
  startedAt: number;
  endedAt: number | null;
  outcome: 'running' | 'done' | 'failed';
  /** A sentence, or the last lines of a command's output; redacted. */
  detail: string | null;
};

export type ProgramVersion = { version: string; commit: string };

/** The state of an update, written durably before each change. */
export type UpdateState = {
  /** Random. A browser distinguishes updates by it. */
  id: string;
  startedAt: number;
  by: string;
  from: ProgramVersion;
  to: ProgramVersion | null;
  /** The installation's executable: the path that a supervisor starts. */
  executable: string;
  /** The old executable; null until it is kept. */
  previous: string | null;
  migrations: number;
  /**
   * The copy of the old database. The launcher makes it before the migrations, when no server runs, so it is
   * complete. Null before that, and without migrations.
   */
  database: string | null;
  /** The checkout of the installation and the commits of its move; null if there is none. */
  checkout: { folder: string; from: string; to: string } | null;
  phase: UpdatePhase;
  starts: number;
  steps: UpdateStep[];
  failure: string | null;
  logTail: string[];
};
