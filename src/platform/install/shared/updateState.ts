/** Why an update does not go on: a sentence for the administrator, and what a program printed, if one was at fault. */
export class UpdateError extends Error {
  override name = 'UpdateError';
  constructor(
    message: string,
    readonly tail: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The file under `<data>/update/` that says how an update stands; anyone who starts next goes by it. */
export const UPDATE_STATE_FILE = 'state.json';

/**
 * - `preparing`: the running executable is untouched; a process that starts finds nothing to do but to clear up.
 * - `swapping`: the executable is being replaced; anyone who starts next puts `previous` back in its place.
 * - `trial`: the new executable is in its place and has not yet been healthy for long enough.
 * - `rollingBack`: the old executable and database are being put back; anyone who starts next goes on with it.
 * - the last three: it is over. `failed` never came to the swap.
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
  /** What is being done, in words for the panel: "Fetch", "Build". */
  name: string;
  /** Epoch ms. */
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  outcome: 'running' | 'done' | 'failed';
  /** A sentence, or the last lines of what a command printed; redacted. */
  detail: string | null;
};

export type ProgramVersion = { version: string; commit: string };

/** How an update stands. Written durably before each thing that it tells of is done. */
export type UpdateState = {
  /** Random; a browser tells updates apart by it. */
  id: string;
  startedAt: number;
  /** The administrator's username. */
  by: string;
  from: ProgramVersion;
  /** Null until it is known. */
  to: ProgramVersion | null;
  /** Where the installation's executable lies: the path that a supervisor starts. */
  executable: string;
  /** The old executable, kept beside it; null until it is there. */
  previous: string | null;
  /** How many migrations the new executable found when it checked itself; 0 while that is not known. */
  migrations: number;
  /**
   * The old database's copy. The process that starts the trial makes it, before the migrations run: only then nobody
   * writes any more, and nothing that was acknowledged is missing in it. Null before that, and when there are no
   * migrations, so that the database stays as it is.
   */
  database: string | null;
  /** The checkout that the installation lies in, with the commits between which it moves; null where there is none. */
  checkout: { folder: string; from: string; to: string } | null;
  phase: UpdatePhase;
  /** How many times the new executable was started in this trial. */
  starts: number;
  steps: UpdateStep[];
  /** A sentence saying what failed; null while nothing has. */
  failure: string | null;
  /** The last lines that the failed program printed, redacted. */
  logTail: string[];
};
