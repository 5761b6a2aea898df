import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler } from '#lib/scheduler.ts';
import { StartError } from '#lib/errors.ts';
import type { Engine, Frame, PrimaryLease } from '../engine/types.ts';
import { EngineError } from '../engine/connection.ts';
import { Run, type RunDeps, type SnapshotKeeper } from './run.ts';

/** Another process with a copy of the same data took over, such as a standby. */
const REPLACED =
  'Another process with a copy of this data folder publishes into the message engine, so this one has stopped to. ' +
  'Stop whichever of the two is not to be; this one publishes again when it is restarted.';

/** The holder of the lease, as a sentence for the operator of a second primary. */
const heldBy = ({ name, since }: PrimaryLease): string =>
  `Another primary, on ${name} since ${new Date(since).toISOString()}, serves the relays of this message engine. ` +
  'Stop it, or give this one an engine or a database number of its own (BELLBIRD_ENGINE_URL).';

/** Time between two renewals of the lease, attempts to begin a run and checks for a due snapshot, ms. */
const LEASE_EVERY_MS = 5000;
/** First wait after a failed run, ms. It grows until a run lasts this long. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
const HELD_MS = 60_000;
/**
 * Maximum age of the stored snapshot, ms: frames are stored for two minutes, and a minute of them is read
 * quickly.
 */
const SNAPSHOT_MS = 55_000;
/** A new snapshot is also made after this many frames. */
const SNAPSHOT_FRAMES = 500;
const LAST_WORDS_MS = 2000;

export type PublisherDeps = {
  engine: Engine;
  clock: SystemClock;
  log: Log;
  schedule: Scheduler;
  lease: PrimaryLease;
  keeper: SnapshotKeeper;
  limits?: RunDeps['limits'];
  reaches(isReaching: boolean): void;
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Publishes frames while Redis is up and the lease is held, in runs that begin with a snapshot. Relays miss
 * events between two runs and continue with the next snapshot.
 */
export class Publisher {
  #run: Run | null = null;
  #problem: string | null = null;
  #isOn = false;
  #isBeginning = false;
  #isSnapshotDue = false;
  #hasLease = false;
  /** Another process with the same lease began a later run, so this one gives up. */
  #isReplaced = false;
  #cancelRetry: (() => void) | null = null;
  #retryMs = FIRST_RETRY_MS;
  #openedAt = 0;
  readonly #repetition: Repetition;
  readonly totals = { frames: 0, bytes: 0 };

  constructor(private readonly deps: PublisherDeps) {
    const { schedule, log } = deps;
    this.#repetition = new Repetition({
      schedule,
      log,
      everyMs: LEASE_EVERY_MS,
      work: () => void this.#renew(),
      failure: 'The relays could not be served as they should',
    });
  }

  run(): Run | null {
    return this.#run;
  }

  isPublishing(): boolean {
    return this.#run?.isOpen ?? false;
  }

  /** Why nothing is published although Redis is up; null otherwise. */
  problem(): string | null {
    return this.deps.engine.isUp() && !this.isPublishing() ? this.#problem : null;
  }

  put(frame: Frame): void {
    this.#run?.put(frame);
  }

  /** The next event of the market replaces all earlier ones, so it needs a snapshot. */
  snapshotAfterEvent(): void {
    this.#isSnapshotDue = true;
  }

  eventPut(): void {
    if (!this.#isSnapshotDue || !this.#run?.isOpen || this.deps.keeper.isKeeping) return;
    this.#isSnapshotDue = false;
    void this.#keep(this.#run);
  }

  /** Takes the lease before anything is published. @throws StartError if another process holds it */
  async takeLease(): Promise<void> {
    const { engine, lease, log } = this.deps;
    let holder: PrimaryLease | null = null;
    try {
      holder = await engine.holdLease(lease);
      this.#hasLease = holder === null;
    } catch (error) {
      log.warn('The lease of the relays could not be taken yet', { error });
    }
    if (holder) throw new StartError(heldBy(holder));
  }

  start(): void {
    this.#isOn = true;
    this.#repetition.start();
    void this.begin();
  }

  /** Begins a run if there is none and Redis is up. Never rejects. */
  async begin(): Promise<void> {
    if (!this.#isOn || this.#isReplaced || this.#isBeginning || this.#run || !this.deps.engine.isUp()) return;
    this.#isBeginning = true;
    try {
      await this.#begin();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isBeginning = false;
    }
  }

  lost(): void {
    this.#forgetRetry();
    this.#endRun();
  }

  async stop(): Promise<void> {
    this.#repetition.stop();
    this.#isOn = false;
    this.#forgetRetry();
    const { engine, lease, log } = this.deps;
    if (this.#run && engine.isUp()) await Promise.race([this.#run.settled(), Bun.sleep(LAST_WORDS_MS)]);
    this.#endRun();
    if (!this.#hasLease || !engine.isUp()) return;
    this.#hasLease = false;
    await engine.releaseLease(lease.instance).catch((error: unknown) => {
      log.warn('The lease of the relays could not be given back; it ends by itself', { error });
    });
  }

  async #begin(): Promise<void> {
    const { engine, clock, log, keeper, limits } = this.deps;
    if (!(await this.#hold())) return;
    const newest = await engine.newest();
    if (!this.#isOn || !engine.isUp()) return;
    const id = Math.max(Math.floor(clock.now()), (newest?.run ?? 0) + 1);
    const run = new Run(id, {
      engine,
      clock,
      ...(limits && { limits }),
      published: (bytes) => {
        this.totals.frames += 1;
        this.totals.bytes += bytes;
      },
      failed: (error) => this.#failed(error),
    });
    this.#run = run;
    await keeper.keep(run);
    if (this.#run !== run || run.isOver) return;
    run.open();
    this.#openedAt = clock.monotonic();
    this.deps.reaches(true);
    this.#problem = null;
    log.info('What relays need is published into the message engine', { run: id });
  }

  async #hold(): Promise<boolean> {
    const { engine, lease, log } = this.deps;
    const holder = await engine.holdLease(lease);
    this.#hasLease = holder === null;
    if (holder === null) return true;
    const problem = heldBy(holder);
    if (problem !== this.#problem) log.error('Another primary serves the relays', { problem });
    this.#problem = problem;
    this.#endRun();
    return false;
  }

  async #renew(): Promise<void> {
    if (!this.deps.engine.isUp() || this.#isReplaced) return;
    if (!this.#run) return this.#cancelRetry ? undefined : this.begin();
    try {
      if (await this.#hold()) this.#look();
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const { engine, clock } = this.deps;
    if (this.#run?.wasOpen && clock.monotonic() - this.#openedAt >= HELD_MS) this.#retryMs = FIRST_RETRY_MS;
    const runId = this.#run?.id ?? 0;
    this.lost();
    if (!engine.isUp() || !this.#isOn) return;
    if (error instanceof EngineError && error.reason === 'order') return void this.#overtaken(error, runId);
    this.#retry(error);
  }

  /** An entry without the right seal does not count, because no primary wrote it. */
  async #overtaken(error: EngineError, runId: number): Promise<void> {
    let isChecking = true;
    this.#cancelRetry = () => (isChecking = false);
    const newest = await this.deps.engine.newestSealed().catch(() => null);
    if (!isChecking) return;
    if (newest !== null && newest.run > runId) this.#replaced();
    else this.#retry(error);
  }

  #retry(error: unknown): void {
    const { log, schedule } = this.deps;
    const problem = sentenceOf(error);
    if (problem !== this.#problem) log.warn('What relays need could not be published', { error });
    this.#problem = problem;
    this.#cancelRetry = schedule(this.#retryMs, () => {
      this.#cancelRetry = null;
      void this.begin();
    });
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
  }

  #replaced(): void {
    this.#cancelRetry = null;
    this.#isReplaced = true;
    this.#hasLease = false;
    this.#problem = REPLACED;
    this.deps.log.error('This server no longer serves the relays', { problem: REPLACED });
  }

  #endRun(): void {
    if (!this.#run) return;
    this.#run.end();
    this.#run = null;
    this.deps.reaches(false);
  }

  #forgetRetry(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
  }

  #look(): void {
    const run = this.#run;
    const { keeper } = this.deps;
    if (!run?.isOpen || keeper.isKeeping) return;
    const isDue = keeper.age() >= SNAPSHOT_MS || keeper.framesSince(run) >= SNAPSHOT_FRAMES;
    if (isDue) void this.#keep(run);
  }

  async #keep(run: Run): Promise<void> {
    try {
      await this.deps.keeper.keep(run);
    } catch (error) {
      if (!run.isOver) this.#failed(error);
    }
  }
}
