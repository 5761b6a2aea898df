import type { Stopwatch, SystemClock } from '#lib/clock.ts';
import { StartError } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler } from '#lib/scheduler.ts';
import { inSlices } from '#lib/turns.ts';
import type { WholeMarket } from '#market/stream/hub.ts';
import { packData } from '#market/stream/snapshots.ts';
import { RedisError } from '../redis/connection.ts';
import type {
  Redis,
  RelayMessage,
  KeptSnapshot,
  Placed,
  Position,
  PrimaryLock,
  RelayVersion,
} from '../redis/types.ts';

/** Limits of unconfirmed messages and bytes. Beyond them Redis is too slow, and a new run is cheaper. */
const MAX_WAITING_MESSAGES = 2000;
const MAX_WAITING_BYTES = 32 << 20;
const MAX_TIMES = 4000;
const MESSAGE_BYTES = 200;

const TOO_SLOW = 'Redis was too slow for the published messages.';

const bytesOf = (relayMessage: RelayMessage): number =>
  'block' in relayMessage ? relayMessage.block.byteLength : 0;

export type RunDeps = {
  engine: Pick<Redis, 'publish'>;
  clock: Stopwatch;
  published(bytes: number): void;
  failed(error: unknown): void;
  limits?: { messages: number; bytes: number };
};

/** The messages from one connection to its loss, numbered from 1. The client sends commands in order. */
export class Run {
  #number = 0;
  #held: Placed[] | null = [];
  #waiting = { messages: 0, bytes: 0 };
  #times: number[] = [];
  #isOver = false;
  #wasOpen = false;
  #settled: (() => void) | null = null;

  constructor(
    readonly id: number,
    private readonly deps: RunDeps,
  ) {}

  position(): Position {
    return { run: this.id, number: this.#number };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  get isOpen(): boolean {
    return this.#held === null && !this.#isOver;
  }

  put(relayMessage: RelayMessage): void {
    if (this.#isOver) return;
    const { messages: maxMessages, bytes: mostBytes } = this.deps.limits ?? {
      messages: MAX_WAITING_MESSAGES,
      bytes: MAX_WAITING_BYTES,
    };
    const bytes = bytesOf(relayMessage) + MESSAGE_BYTES;
    const isTooMuch = this.#waiting.messages >= maxMessages || this.#waiting.bytes + bytes > mostBytes;
    if (isTooMuch && this.#waiting.messages > 0) return this.#fail(new Error(TOO_SLOW));
    this.#number += 1;
    this.#waiting.messages += 1;
    this.#waiting.bytes += bytes;
    this.#times.push(this.deps.clock.monotonic());
    if (this.#times.length > MAX_TIMES) this.#times = this.#times.slice(-MAX_TIMES / 2);
    const placed = { position: this.position(), relayMessage };
    if (this.#held) this.#held.push(placed);
    else this.#send(placed);
  }

  /** Sends the held messages. The first snapshot is already stored, so every reader of this run finds it. */
  open(): void {
    const held = this.#held ?? [];
    this.#wasOpen = true;
    this.#held = null;
    for (const placed of held) this.#send(placed);
  }

  end(): void {
    this.#isOver = true;
    this.#held = null;
    this.#settled?.();
  }

  /**
   * The lag of a relay that reported message `number` `agoMs` ago: the number of later messages, and the age
   * of the oldest of these in ms, null if unknown.
   */
  behind(number: number, agoMs: number): { messages: number; ms: number | null } {
    const at = this.deps.clock.monotonic() - agoMs;
    const later = this.#times.length - 1 - this.#times.findLastIndex((made) => made <= at);
    const messages = Math.max(0, this.#number - later - number);
    if (messages === 0) return { messages, ms: 0 };
    const since = this.#number - number;
    const made = since > this.#times.length ? undefined : this.#times.at(-since);
    return { messages, ms: made === undefined ? null : at - made };
  }

  settled(): Promise<void> {
    if (this.#isOver || this.#waiting.messages === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settled = resolve;
    });
  }

  #send(placed: Placed): void {
    if (this.#isOver) return;
    this.deps.engine.publish(placed).then(
      () => this.#confirmed(bytesOf(placed.relayMessage)),
      (error: unknown) => this.#fail(error),
    );
  }

  #confirmed(bytes: number): void {
    this.#waiting.messages -= 1;
    this.#waiting.bytes -= bytes + MESSAGE_BYTES;
    this.deps.published(bytes);
    if (this.#waiting.messages === 0) this.#settled?.();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.deps.failed(error);
  }
}

type SnapshotKeeperDeps = {
  engine: Pick<Redis, 'keepSnapshot'>;
  clock: Stopwatch;
  version: RelayVersion;
  streams: KeptSnapshot['streams'];
  whole(): WholeMarket;
};

export class SnapshotKeeper {
  #making = 0;
  #at = 0;
  #number = 0;

  constructor(private readonly deps: SnapshotKeeperDeps) {}

  async keep(run: Run): Promise<void> {
    this.#making += 1;
    try {
      await this.#keep(run);
    } finally {
      this.#making -= 1;
    }
  }

  get isKeeping(): boolean {
    return this.#making > 0;
  }

  age(): number {
    return this.deps.clock.monotonic() - this.#at;
  }

  messagesSince(run: Run): number {
    return run.position().number - this.#number;
  }

  async #keep(run: Run): Promise<void> {
    const { engine, clock, version, streams, whole } = this.deps;
    const position = run.position();
    const { epoch, seq, state } = whole();
    this.#at = clock.monotonic();
    this.#number = position.number;
    const packed = await inSlices(clock, packData(state));
    if (!run.isOver) await engine.keepSnapshot({ ...version, position, epoch, seq, streams, packed });
  }
}

/** Another process with a copy of the same data took over, such as a standby. */
const REPLACED =
  'Another process with a copy of this data folder publishes to Redis, so this one has stopped publishing. ' +
  'Stop one of the two. This one publishes again after a restart.';

/** The holder of the lock, as a sentence for the operator of a second primary. */
const heldBy = ({ name, since }: PrimaryLock): string =>
  `Another primary, on ${name} since ${new Date(since).toISOString()}, serves the relays of this Redis. ` +
  'Stop it, or set BELLBIRD_ENGINE_URL to another Redis or database number.';

/** Time between two renewals of the lock, attempts to begin a run and checks for a due snapshot, ms. */
const LOCK_EVERY_MS = 5000;
/** Wait after a failed run, ms: doubles from the first, and starts again after a run of `HELD_MS`. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
const HELD_MS = 60_000;
/** Maximum age of the stored snapshot, ms. Messages are stored for two minutes. */
const SNAPSHOT_MS = 55_000;
/** A new snapshot is also made after this many messages. */
const SNAPSHOT_MESSAGES = 500;
const LAST_WORDS_MS = 2000;

type PublisherDeps = {
  engine: Redis;
  clock: SystemClock;
  log: Log;
  schedule: Scheduler;
  lock: PrimaryLock;
  keeper: SnapshotKeeper;
  limits?: RunDeps['limits'];
  reaches(isReaching: boolean): void;
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Publishes messages while Redis is up and the lock is held, in runs that begin with a snapshot. Relays miss
 * events between two runs and continue with the next snapshot.
 */
export class Publisher {
  #run: Run | null = null;
  #problem: string | null = null;
  #isOn = false;
  #isBeginning = false;
  #isSnapshotDue = false;
  #hasLock = false;
  /** Another process with the same lock began a later run, so this one stopped publishing. */
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
      everyMs: LOCK_EVERY_MS,
      work: () => void this.#renew(),
      failure: 'Could not serve the relays',
    });
  }

  run(): Run | null {
    return this.#run;
  }

  isPublishing(): boolean {
    return this.#run?.isOpen ?? false;
  }

  problem(): string | null {
    return this.deps.engine.isUp() && !this.isPublishing() ? this.#problem : null;
  }

  put(relayMessage: RelayMessage): void {
    this.#run?.put(relayMessage);
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

  /** Takes the lock before anything is published. @throws StartError if another process holds it */
  async acquireLock(): Promise<void> {
    const { engine, lock, log } = this.deps;
    let holder: PrimaryLock | null = null;
    try {
      holder = await engine.holdLock(lock);
      this.#hasLock = holder === null;
    } catch (error) {
      log.warn('Could not take the lock in Redis yet', { error });
    }
    if (holder) throw new StartError(heldBy(holder));
  }

  start(): void {
    this.#isOn = true;
    this.#repetition.start();
    void this.begin();
  }

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
    const { engine, lock, log } = this.deps;
    if (this.#run && engine.isUp()) await Promise.race([this.#run.settled(), Bun.sleep(LAST_WORDS_MS)]);
    this.#endRun();
    if (!this.#hasLock || !engine.isUp()) return;
    this.#hasLock = false;
    await engine.releaseLock(lock.instance).catch((error: unknown) => {
      log.warn('Could not release the lock in Redis; it expires soon', { error });
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
    log.info('Started publishing to Redis', { run: id });
  }

  async #hold(): Promise<boolean> {
    const { engine, lock, log } = this.deps;
    const holder = await engine.holdLock(lock);
    this.#hasLock = holder === null;
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
      if (await this.#hold()) this.#check();
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
    if (error instanceof RedisError && error.reason === 'order') return void this.#overtaken(error, runId);
    this.#retry(error);
  }

  /** An entry without the right seal does not count, because no primary wrote it. */
  async #overtaken(error: RedisError, runId: number): Promise<void> {
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
    if (problem !== this.#problem) log.warn('Could not publish to Redis', { error });
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
    this.#hasLock = false;
    this.#problem = REPLACED;
    this.deps.log.error('Stopped publishing to relays', { problem: REPLACED });
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

  #check(): void {
    const run = this.#run;
    const { keeper } = this.deps;
    if (!run?.isOpen || keeper.isKeeping) return;
    const isDue = keeper.age() >= SNAPSHOT_MS || keeper.messagesSince(run) >= SNAPSHOT_MESSAGES;
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
