import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepPrevious, moveCheckout, nextPath, previousPath, swapBack, swapIn } from '../shared/swap.ts';
import {
  type ProgramVersion,
  readUpdateState,
  restoreUpdateState,
  UpdateError,
  updateFolder,
  type UpdateState,
  type UpdateStep,
  writeUpdateState,
} from '../shared/updateState.ts';
import type { Log } from '#lib/log.ts';
import type { App } from '../../app.ts';
import type { Program } from '../shared/processControl.ts';
import { lastPrinted, runCommand } from './runCommand.ts';
import { isOffered, type Offer, type UpdateSource } from './offer.ts';
import { needRoom } from '../shared/room.ts';
import { parseJson } from '#lib/json.ts';
import { readCount, readRecord, readText } from '#lib/read.ts';
import { succeeded, TIME_LIMITS } from './tools.ts';
import { errorCode } from '#lib/errors.ts';

const WORK = 'work-';

/** The folder of one update. @param id random, of letters, digits and dashes */
export const workFolder = (dataFolder: string, id: string): string =>
  join(updateFolder(dataFolder), `${WORK}${id}`);

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Removes the files of earlier updates. Call it only while none runs. */
export async function clearLeftovers(dataFolder: string, executable: string): Promise<void> {
  const folder = updateFolder(dataFolder);
  const works = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(WORK)) : [];
  const besides = [nextPath(executable), `${previousPath(executable)}.partial`, `${executable}.back`];
  // In a read-only folder even removing a missing file fails.
  const paths = [...works.map((name) => join(folder, name)), ...besides].filter(isThere);
  for (const path of paths) {
    await rm(path, { recursive: true, force: true });
  }
}

const CUT_OFF =
  'The server stopped while the update was being prepared. The previous version is still in use.';

/** Ends an update that was interrupted before the swap, because it changed nothing. @param now epoch ms */
export function settleCutOff(dataFolder: string, now: number): void {
  const state = readUpdateState(dataFolder);
  if (state?.phase !== 'preparing') return;
  const steps = state.steps.map((step) =>
    step.endedAt === null ? { ...step, endedAt: now, outcome: 'failed' as const } : step,
  );
  writeUpdateState(dataFolder, { ...state, phase: 'failed', failure: CUT_OFF, steps });
}

/** The report of a new executable by `bellbird check --json`. */
type CheckReport = ProgramVersion & {
  migrations: number;
};

function readReport(stdout: string): CheckReport | null {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const parsed = parseJson(line);
  const record = readRecord(parsed.ok ? parsed.value : null);
  const version = readText(record.version);
  const commit = readText(record.commit);
  const migrations = readCount(record.migrations);
  return version === null || commit === null || migrations === null ? null : { version, commit, migrations };
}

/**
 * Lets a new executable check itself with this installation's settings, on a copy of its database, which it
 * migrates.
 * @throws UpdateError if the check fails
 */
async function checkCandidate(
  path: string,
  { env, folder, signal }: Pick<Program, 'env'> & { folder: string; signal: AbortSignal },
): Promise<CheckReport> {
  const temporary = join(folder, 'check');
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  // Removes the channel to this process's own parent.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('NODE_CHANNEL_'));
  // The system's temporary folder is often in memory, and small.
  const own = { ...Object.fromEntries(inherited), TMPDIR: temporary };
  const options = {
    cwd: process.cwd(),
    env: own as Record<string, string>,
    timeoutMs: TIME_LIMITS.check,
    signal,
  };
  const result = await runCommand([path, 'check', '--json'], options).catch((error: unknown) => {
    const code = errorCode(error);
    throw new UpdateError(`The new version cannot run on this machine (${code || String(error)}).`);
  });
  const stdout = succeeded(result, 'The new version failed its own check.', TIME_LIMITS.check);
  const report = readReport(stdout);
  if (report === null)
    throw new UpdateError('The new version did not report the result of its check.', result.tail);
  return report;
}

export type SourceMaker = (run: { signal: AbortSignal; onOutput(text: string): void }) => UpdateSource;

const MAX_SENTENCE = 1000;

function sentenceOf(error: unknown): string {
  if (error instanceof UpdateError) return error.message;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Free some space and try again.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return `The server may not write to a file or folder (${message}).`;
  }
  return `Something unexpected went wrong: ${message}`;
}

/** The progress of one update: in memory for the page, and on disk for the process that starts next. */
class Journal {
  constructor(
    private readonly app: App,
    private readonly log: Log,
    private now: UpdateState,
  ) {
    this.note({});
  }

  state(): UpdateState {
    return this.now;
  }

  /** Writes a change to disk. Call it before the change is made. @throws the file system's error */
  note(change: Partial<UpdateState>): void {
    this.now = { ...this.now, ...change };
    writeUpdateState(this.app.paths.folder, this.now);
  }

  /** Runs a step under its name. @param then is noted together with its end @throws the error of the step */
  readonly step = async <T>(
    name: string,
    work: () => Promise<T>,
    then: Partial<UpdateState> = {},
  ): Promise<T> => {
    const { clock } = this.app;
    const step: UpdateStep = {
      name,
      startedAt: clock.now(),
      endedAt: null,
      outcome: 'running',
      detail: null,
    };
    this.note({ steps: [...this.now.steps, step] });
    const result = await work();
    const steps = this.#changedSteps({ outcome: 'done', detail: null, endedAt: clock.now() });
    this.note({ ...then, steps });
    return result;
  };

  /** Shows the last line that the running step printed. It is not kept. */
  readonly showOutput = (output: string): void => {
    const detail = lastPrinted(output, 1)[0];
    if (detail === undefined) return;
    this.now = { ...this.now, steps: this.#changedSteps({ detail: this.app.redactor.text(detail) }) };
  };

  /** Notes that the update failed before the swap. */
  readonly fail = (error: unknown): void => {
    const { clock, paths, redactor } = this.app;
    const failure = redactor.text(sentenceOf(error)).slice(0, MAX_SENTENCE);
    const logTail = error instanceof UpdateError ? error.tail.map((line) => redactor.text(line)) : [];
    this.log.warn('An update failed; the running version is still in use', { failure, error });
    const steps = this.#changedSteps({ endedAt: clock.now(), outcome: 'failed', detail: failure });
    this.now = { ...this.now, phase: 'failed', failure, logTail, steps };
    try {
      writeUpdateState(paths.folder, this.now);
    } catch (problem) {
      // The page shows the failure from memory. The next start corrects the state on disk.
      this.log.error('Could not save the result of the update', { error: problem });
    }
  };

  #changedSteps(change: Partial<UpdateStep>): UpdateStep[] {
    return this.now.steps.map((step) => (step.endedAt === null ? { ...step, ...change } : step));
  }
}

export type StartedUpdate = { id: string; offer: Offer; ended: Promise<void> };

type Run = { app: App; journal: Journal; source: UpdateSource; signal: AbortSignal; work: string };

/** Swaps the executable and moves the checkout along. Undoes both if that fails. */
async function swap({ app, source, journal }: Run, offer: Offer): Promise<void> {
  const { executable, env } = app.program;
  const git = Bun.which('git', { PATH: env.PATH ?? '' });
  const checkout = await source.checkout(offer);
  const work = async (): Promise<void> => {
    const previous = keepPrevious(executable);
    journal.note({ phase: 'swapping', previous, checkout });
    const problem = checkout && moveCheckout(git, checkout);
    if (problem) throw new UpdateError(problem);
    swapIn(executable);
    source.settle?.();
  };
  try {
    await journal.step('Swap', work, { phase: 'trial', starts: 0 });
  } catch (error) {
    const { previous } = journal.state();
    if (previous !== null) swapBack(executable, previous);
    if (checkout) moveCheckout(git, { ...checkout, from: checkout.to, to: checkout.from });
    throw error;
  }
  app.control.restart();
}

async function carryOn(run: Run, offer: Offer): Promise<void> {
  const { journal, source, signal, work } = run;
  const { program } = run.app;
  const target = nextPath(program.executable);
  await source.make(offer, { folder: work, target, step: journal.step });
  const report = await journal.step('Check', () =>
    checkCandidate(target, { env: program.env, folder: work, signal }),
  );
  if (!isOffered(offer, report)) {
    throw new UpdateError(
      `The new executable is version ${report.version} of commit ${report.commit}, which is not the requested version.`,
    );
  }
  const { version, commit, migrations } = report;
  journal.note({ to: { version, commit }, migrations });
  await rm(work, { recursive: true, force: true });
  if (signal.aborted) throw new UpdateError('The server was stopped while it was being updated.');
  await swap(run, offer);
}

const preparing = ({ about, clock, program, randomToken }: App, by: string): UpdateState => ({
  id: randomToken(),
  startedAt: clock.now(),
  by,
  from: { version: about.version, commit: about.commit },
  to: null,
  executable: program.executable,
  previous: null,
  migrations: 0,
  database: null,
  checkout: null,
  phase: 'preparing',
  starts: 0,
  steps: [],
  failure: null,
  logTail: [],
});

/**
 * Updates this installation: looks up the new version, makes the executable next to the running one, lets it check
 * itself, and swaps. Until the swap nothing else is changed.
 */
export class Updater {
  readonly #stopped = new AbortController();
  #current: { journal: Journal; ended: Promise<void> } | null = null;
  #isStarting = false;

  constructor(
    private readonly app: App,
    private readonly createSource: SourceMaker,
    private readonly log: Log,
  ) {}

  isRunning = (): boolean => this.#isStarting || this.#current !== null;

  /** The running update, or the last one; null if there was none. */
  state(): UpdateState | null {
    return this.#current?.journal.state() ?? readUpdateState(this.app.paths.folder);
  }

  findOffer(): Promise<Offer> {
    return this.createSource({ signal: this.#stopped.signal, onOutput: () => undefined }).findOffer();
  }

  /**
   * Looks up a new version and, if there is one, continues in the background. Call it only while none runs.
   * @param onOffer is called before the update begins
   * @returns the started update, or the offer if nothing is new
   * @throws UpdateError, which is also in the journal
   */
  async start(by: string, onOffer: (offer: Offer) => void): Promise<StartedUpdate | Offer> {
    if (this.isRunning()) throw new Error('An update is already running.');
    this.#isStarting = true;
    try {
      return await this.#prepare(by, onOffer);
    } finally {
      this.#isStarting = false;
    }
  }

  /** Ends the running update with all its programs. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#current?.ended;
  }

  async #prepare(by: string, onOffer: (offer: Offer) => void): Promise<StartedUpdate | Offer> {
    const { folder } = this.app.paths;
    const earlier = readUpdateState(folder);
    await clearLeftovers(folder, this.app.program.executable);
    const journal = new Journal(this.app, this.log, preparing(this.app, by));
    const settled = Promise.withResolvers<void>();
    this.#current = { journal, ended: settled.promise };
    const end = async (): Promise<void> => {
      await this.#clear();
      settled.resolve();
    };
    try {
      const { source, offer } = await this.#checkFor(journal);
      if (!offer.isNew) {
        restoreUpdateState(folder, earlier);
        await end();
        return offer;
      }
      const { id } = journal.state();
      const work = workFolder(folder, id);
      mkdirSync(work, { recursive: true, mode: 0o700 });
      onOffer(offer);
      const run = { app: this.app, journal, source, signal: this.#stopped.signal, work };
      void carryOn(run, offer).catch(journal.fail).then(end);
      return { id, offer, ended: settled.promise };
    } catch (error) {
      journal.fail(error);
      await end();
      throw error;
    }
  }

  async #checkFor(journal: Journal): Promise<{ source: UpdateSource; offer: Offer }> {
    const source = this.createSource({ signal: this.#stopped.signal, onOutput: journal.showOutput });
    await journal.step('Check free space', async () => needRoom(this.app, source.need));
    return { source, offer: await journal.step('Look for updates', () => source.findOffer()) };
  }

  async #clear(): Promise<void> {
    const { paths, program } = this.app;
    await clearLeftovers(paths.folder, program.executable).catch((error: unknown) =>
      this.log.warn('Could not remove leftover files of an update', { error }),
    );
    this.#current = null;
  }
}
