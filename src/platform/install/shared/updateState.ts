import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isNoRoom } from '#lib/errors.ts';
import { parseJson } from '#lib/json.ts';
import { readChoice, readCount, readList, readRecord, readText, readTime } from '#lib/read.ts';
import { writeDurably } from '#lib/files.ts';

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
  /** Shown in the panel: "Fetch", "Build". */
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
   * The copy of the old database. It is made before the migrations, when no server runs, so it is complete.
   * Null before that, and without migrations.
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

/** A state has a few kilobytes. A larger file is not from this program. */
const MAX_BYTES = 1024 * 1024;

const readPhase = readChoice(UPDATE_PHASES);
const readOutcome = readChoice<UpdateStep['outcome']>(['running', 'done', 'failed']);

export const updateFolder = (dataFolder: string): string => join(dataFolder, 'update');

function readStep(value: unknown): UpdateStep | null {
  const { name, startedAt, endedAt, outcome, detail } = readRecord(value);
  const title = readText(name);
  const start = readTime(startedAt);
  if (title === null || start === null) return null;
  return {
    name: title,
    startedAt: start,
    endedAt: readTime(endedAt),
    outcome: readOutcome(outcome) ?? 'failed',
    detail: readText(detail),
  };
}

function readVersion(value: unknown): ProgramVersion | null {
  const { version, commit } = readRecord(value);
  const texts = { version: readText(version), commit: readText(commit) };
  return texts.version === null || texts.commit === null
    ? null
    : { version: texts.version, commit: texts.commit };
}

function readState(value: unknown): UpdateState | null {
  const record = readRecord(value);
  const phase = readPhase(record.phase);
  const executable = readText(record.executable);
  if (phase === null || executable === null) return null;
  return {
    id: readText(record.id) ?? '',
    startedAt: readTime(record.startedAt) ?? 0,
    by: readText(record.by) ?? '',
    from: readVersion(record.from) ?? { version: '', commit: '' },
    to: readVersion(record.to),
    executable,
    previous: readText(record.previous),
    migrations: readCount(record.migrations) ?? 0,
    database: readText(record.database),
    checkout: readCheckout(record.checkout),
    phase,
    starts: readCount(record.starts) ?? 0,
    steps: readList(record.steps, readStep),
    failure: readText(record.failure),
    logTail: readList(record.logTail, readText),
  };
}

function readCheckout(value: unknown): UpdateState['checkout'] {
  const { folder, from, to } = readRecord(value);
  const texts = { folder: readText(folder), from: readText(from), to: readText(to) };
  return texts.folder === null || texts.from === null || texts.to === null
    ? null
    : { folder: texts.folder, from: texts.from, to: texts.to };
}

/**
 * Reads the state of the last update. Another version may have written it, so missing members get defaults and
 * unknown ones are dropped.
 * @returns null if there was none, or the file is unreadable
 */
export function readUpdateState(dataFolder: string): UpdateState | null {
  const path = join(updateFolder(dataFolder), UPDATE_STATE_FILE);
  try {
    if (statSync(path).size > MAX_BYTES) return null;
    const parsed = parseJson(readFileSync(path, 'utf8'));
    return parsed.ok ? readState(parsed.value) : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes the state of an update so that it survives a power cut.
 * @throws the file system's error, such as that of a full disk; the earlier state then remains
 */
export function writeUpdateState(dataFolder: string, state: UpdateState): void {
  const folder = updateFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeDurably(join(folder, UPDATE_STATE_FILE), `${JSON.stringify(state)}\n`, 0o600);
}

/**
 * Writes the final state, on a full disk over the old one, which needs no room. If interrupted, the file is
 * unreadable and counts as no update.
 */
export function writeLastState(dataFolder: string, state: UpdateState): void {
  try {
    writeUpdateState(dataFolder, state);
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    const path = join(updateFolder(dataFolder), UPDATE_STATE_FILE);
    try {
      writeFileSync(path, `${JSON.stringify(state)}\n`);
    } catch {
      rmSync(path, { force: true });
    }
  }
}

/** Restores the state before an update without effect. @param state null if there was none */
export function restoreUpdateState(dataFolder: string, state: UpdateState | null): void {
  if (state !== null) writeUpdateState(dataFolder, state);
  else rmSync(join(updateFolder(dataFolder), UPDATE_STATE_FILE), { force: true });
}

/** Starts after which an interrupted trial ends. A power cut interrupts it once. */
const MAX_STARTS = 2;

/**
 * The first task of a start:
 * - `serve`: no update is pending;
 * - `try`: the new version starts or continues its trial;
 * - `rollBack`: the old executable comes back, and the old database if the new version may have changed it.
 */
export type StartDecision = { kind: 'serve' } | { kind: 'try' } | { kind: 'rollBack'; failure: string };

/** Decides by counts instead of times, because the clock may have been set. */
export function decideStart(state: UpdateState | null): StartDecision {
  switch (state?.phase) {
    case 'swapping':
      return {
        kind: 'rollBack',
        failure: 'The server stopped while the new version was being installed, so the old one was restored.',
      };
    case 'rollingBack':
      return { kind: 'rollBack', failure: state.failure ?? 'The new version did not pass its trial.' };
    case 'trial':
      if (state.starts < MAX_STARTS) return { kind: 'try' };
      return {
        kind: 'rollBack',
        failure: `The new version was started ${state.starts} times, and its trial was interrupted each time.`,
      };
    default:
      return { kind: 'serve' };
  }
}
