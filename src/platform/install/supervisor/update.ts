import type { Stopwatch } from '#lib/clock.ts';
import { parseJson } from '#lib/json.ts';
import { readRecord, readText } from '#lib/read.ts';
import { type ChildRun, createOutputTail, endingText, type OutputTail } from './childRun.ts';
import { DatabaseError } from '#platform/db/migrate.ts';
import { lockData } from '#platform/db/lock.ts';
import { isNoRoom } from '#lib/errors.ts';
import { rollBack } from '../shared/rollBack.ts';
import {
  decideStart,
  updateFolder,
  type UpdateState,
  type UpdateStep,
  writeLastState,
  writeUpdateState,
} from '../shared/updateState.ts';
import {
  codeAfterStop,
  type Supervising,
  type LaunchOptions,
  type Next,
  startServerChild,
  untilEnded,
} from './launching.ts';
import { ownAddress } from '#lib/addresses.ts';
import { Database } from 'bun:sqlite';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFile, syncFolder } from '#lib/files.ts';

/** A slow board migrates and loads slowly, but the old version must be back within 120 s. */
const START_WITHIN_MS = 75_000;
const ASK_EVERY_MS = 1000;
const ANSWER_WITHIN_MS = 5000;
/** Failed checks in a row that end the trial. */
const MAX_SILENT = 3;

export type TrialRules = {
  url(port: number): string;
  commit: string | null;
  seconds: number;
  clock: Stopwatch;
};

/** Checks that the server answers, and that it is this program and process. @returns the fault, or null */
async function healthFault(url: string, pid: number, commit: string | null): Promise<string | null> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const parsed = parseJson(await response.text());
    const health = readRecord(parsed.ok ? parsed.value : null);
    if (!response.ok || health.ok !== true) return `answered its health check with ${response.status}`;
    if (health.pid !== pid) return 'has lost its port to another process';
    const running = readText(health.commit);
    if (commit !== null && running !== commit) return `runs commit ${running}, not ${commit}`;
    return null;
  } catch {
    return 'does not answer its health check';
  }
}

/** Checks that the live stream opens and sends something. @returns the fault, or null */
async function streamFault(url: string): Promise<string | null> {
  const given = AbortSignal.timeout(ANSWER_WITHIN_MS);
  try {
    const headers = { 'accept-encoding': 'identity' };
    const response = await fetch(`${url}/api/data/stream`, { headers, signal: given });
    const reader = response.body?.getReader();
    if (!response.ok || !reader) return `answered a request for live prices with ${response.status}`;
    let text = '';
    const decoder = new TextDecoder();
    while (!text.includes('event:')) {
      const { done, value } = await reader.read();
      if (done) return 'closes the stream of live prices immediately';
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return null;
  } catch {
    return 'does not open a stream of live prices';
  }
}

async function untilOver(child: ChildRun, url: string, rules: TrialRules): Promise<string | null> {
  const { clock, seconds, commit } = rules;
  const overAt = clock.monotonic() + seconds * 1000;
  let silent = 0;
  for (;;) {
    const fault = await healthFault(url, child.pid, commit);
    silent = fault === null ? 0 : silent + 1;
    if (fault !== null && silent >= MAX_SILENT) return fault;
    const left = overAt - clock.monotonic();
    if (left <= 0 && fault === null) return streamFault(url);
    await Bun.sleep(Math.min(ASK_EVERY_MS, Math.max(left, 50)));
  }
}

/**
 * Watches a new version until it has run well for long enough: all parts started, its health is the new program's,
 * the price stream opens, and it neither ends nor falls silent.
 * @returns the fault as a sentence; null if all went well
 */
export async function watchTrial(child: ChildRun, rules: TrialRules): Promise<string | null> {
  const beganAt = rules.clock.monotonic();
  const afterText = (): string => `after ${Math.round((rules.clock.monotonic() - beganAt) / 1000)} s`;
  const ended = child.ended.then((ending) => `The new version ${endingText(ending)} ${afterText()}.`);
  const late = Bun.sleep(START_WITHIN_MS).then(() => false);

  const judge = async (): Promise<string | null> => {
    if (!(await Promise.race([child.started, late]))) {
      return `The new version was not ready ${afterText()}.`;
    }
    const port = child.port();
    const url = port === null ? null : rules.url(port);
    if (url === null) return 'The new version does not listen on a port.';
    const fault = (await streamFault(url)) ?? (await untilOver(child, url, rules));
    return fault === null ? null : `The new version ${fault}.`;
  };
  // An ended server also fails the checks, and its own reason is better.
  const verdict = await Promise.race([ended, judge()]);
  if (verdict === null) return null;
  return Promise.race([ended, Bun.sleep(200).then(() => verdict)]);
}

const TRIAL_STEP = 'Try the new version';

/** Writes a complete copy of a database that no process has open. @returns its path */
function copyDatabase(database: string, folder: string): string {
  const copy = join(updateFolder(folder), 'bellbird.db.before');
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  // Opened for writing, so that the log of a killed process is merged first.
  const client = new Database(database, { create: false, readwrite: true, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    client.query('VACUUM INTO ?1').run(partial);
  } catch (error) {
    // On a full disk the partial copy would block everything that follows.
    rmSync(partial, { force: true });
    throw error;
  } finally {
    client.close();
  }
  syncFile(partial);
  renameSync(partial, copy);
  syncFolder(dirname(copy));
  return copy;
}

type TrialFiles = {
  folder: string;
  database: string;
  now: number;
};

/**
 * Notes one more start of the new version. Copies the database before a migration. No server runs, so the copy is
 * complete.
 * @throws DatabaseError if another process has the data folder; the error of SQLite or the file system if the copy
 *   fails
 */
function beginTrial(state: UpdateState, { folder, database, now }: TrialFiles): UpdateState {
  const lock = lockData(folder, 12_000);
  try {
    const needsCopy = state.migrations > 0 && state.database === null && existsSync(database);
    const copy = needsCopy ? copyDatabase(database, folder) : state.database;
    const step: UpdateStep = {
      name: TRIAL_STEP,
      startedAt: now,
      endedAt: null,
      outcome: 'running',
      detail: null,
    };
    const steps = [...state.steps.filter(({ name }) => name !== TRIAL_STEP), step];
    const begun: UpdateState = { ...state, database: copy, starts: state.starts + 1, steps };
    writeUpdateState(folder, begun);
    return begun;
  } finally {
    lock.release();
  }
}

/** Notes the end of a successful trial and removes the copy of the old database. */
function endTrialWell(
  state: UpdateState,
  { folder, now }: Pick<TrialFiles, 'folder' | 'now'>,
  detail: string,
): void {
  const steps = state.steps.map((step) =>
    step.name === TRIAL_STEP ? { ...step, endedAt: now, outcome: 'done' as const, detail } : step,
  );
  writeLastState(folder, { ...state, phase: 'healthy', steps });
  if (state.database !== null) rmSync(state.database, { force: true });
}

const KILL_AFTER_MS = 5000;
/** A terminal or supervisor signals both processes, and the child may end before this process gets its signal. */
const SIGNAL_WITHIN_MS = 300;

type Ran = Next | ChildRun;

async function end(child: ChildRun): Promise<void> {
  child.kill('SIGTERM');
  const late = Bun.sleep(KILL_AFTER_MS).then(() => 'late' as const);
  if ((await Promise.race([child.ended, late])) === 'late') child.kill('SIGKILL');
  await child.ended;
}

function filesOf({ folder, database, clock }: LaunchOptions) {
  return { folder, database, now: clock.now() };
}

function rollBackUpdate(
  { options }: Supervising,
  state: UpdateState,
  failure: string,
  crashedAfter: () => number,
): Next {
  const { print, isSupervised, restartCode } = options;
  print(`${failure} Restoring the previous version.`);
  try {
    rollBack(state, failure, filesOf(options));
  } catch (error) {
    if (isSupervised) throw error;
    const waitMs = crashedAfter();
    print(`The previous version cannot be restored (${String(error)}). Trying again in ${waitMs / 1000} s.`);
    return { waitMs };
  }
  return isSupervised ? { end: restartCode } : { waitMs: 0 };
}

/** A trial that ends because of a signal to this process does not count. */
async function cutOff(launching: Supervising, state: UpdateState, child: ChildRun): Promise<Next> {
  const ending = await untilEnded(launching, child);
  try {
    writeUpdateState(launching.options.folder, { ...state, starts: state.starts - 1 });
  } catch (error) {
    // The disk is full, so this trial counts. The next start may still try.
    if (!isNoRoom(error)) throw error;
  }
  return { end: codeAfterStop(ending, launching.options) };
}

async function runOnAfter(launching: Supervising, state: UpdateState, child: ChildRun): Promise<Ran> {
  const { options } = launching;
  endTrialWell(state, filesOf(options), `It ran well for ${options.trialSeconds} s.`);
  child.send({ type: 'trialOver' });
  options.print('The new version passed its trial and stays installed.');
  if (!options.isSupervised) return child;
  // The supervisor knows this process and not its child, so both end and it starts the new version.
  await end(child);
  return { end: options.restartCode };
}

/** Runs the new version and watches it. @returns its child, or the reason of its failure */
async function startNew(
  launching: Supervising,
  state: UpdateState,
  tail: OutputTail,
): Promise<ChildRun | string> {
  try {
    return await startServerChild(launching, { tail, program: state.executable });
  } catch (error) {
    return `The new version cannot be started (${error instanceof Error ? error.message : String(error)}).`;
  }
}

async function tryVersion(
  launching: Supervising,
  before: UpdateState,
  crashedAfter: () => number,
): Promise<Ran> {
  const { options, stopped } = launching;
  let state = before;
  try {
    state = beginTrial(before, filesOf(options));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const failure = `The trial could not start, or the database could not be copied before it (${String(error)}).`;
    return rollBackUpdate(launching, before, failure, crashedAfter);
  }
  const tail = createOutputTail(options.redact);
  const child = await startNew(launching, state, tail);
  if (typeof child === 'string') return rollBackUpdate(launching, state, child, crashedAfter);
  const verdict = await Promise.race([
    stopped,
    watchTrial(child, {
      url: (port) => ownAddress({ host: options.host, port }),
      commit: state.to?.commit ?? null,
      seconds: options.trialSeconds,
      clock: options.clock,
    }),
  ]);
  if (verdict !== null) await Promise.race([stopped, Bun.sleep(SIGNAL_WITHIN_MS)]);
  if (verdict === 'stopped' || (verdict !== null && launching.isStopped)) {
    return cutOff(launching, state, child);
  }
  if (verdict === null) return runOnAfter(launching, state, child);
  const port = child.port();
  await end(child);
  if (port !== null) launching.place.hold(port);
  return rollBackUpdate(launching, { ...state, logTail: tail.lines() }, verdict, crashedAfter);
}

/**
 * Tries the new version or rolls it back, by the update's state.
 * @param crashedAfter the delay after a failure, ms
 * @returns the next step, or the new version's server after a successful trial
 * @throws DatabaseError if another process has the data folder
 */
export async function goOnWithUpdate(
  launching: Supervising,
  state: UpdateState,
  crashedAfter: () => number,
): Promise<Ran> {
  // Another supervising process must not mistake the trial for an interrupted one.
  const lock = lockData(updateFolder(launching.options.folder), 0);
  try {
    const decision = decideStart(state);
    if (decision.kind === 'rollBack') return rollBackUpdate(launching, state, decision.failure, crashedAfter);
    return await tryVersion(launching, state, crashedAfter);
  } finally {
    lock.release();
  }
}
