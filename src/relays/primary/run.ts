import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { WholeMarket } from '#market/stream/hub.ts';
import { packData } from '#market/stream/snapshot.ts';
import type { Engine, Frame, KeptSnapshot, Placed, Position, RelayVersion } from '../engine/types.ts';

/** Limits of unconfirmed frames and bytes. Beyond them Redis is too slow, and a new run is cheaper. */
const MAX_WAITING_FRAMES = 2000;
const MAX_WAITING_BYTES = 32 << 20;
const MAX_TIMES = 4000;
const FRAME_BYTES = 200;

const TOO_SLOW = 'The message engine took what was published too slowly.';

const bytesOf = (frame: Frame): number => ('block' in frame ? frame.block.byteLength : 0);

export type RunDeps = {
  engine: Pick<Engine, 'publish'>;
  clock: Stopwatch;
  published(bytes: number): void;
  failed(error: unknown): void;
  limits?: { frames: number; bytes: number };
};

/**
 * The frames from one connection to its loss, numbered from 1 without gaps. The Redis client sends commands
 * in order.
 */
export class Run {
  #number = 0;
  #held: Placed[] | null = [];
  #waiting = { frames: 0, bytes: 0 };
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

  /** Publishes a frame. After the end of the run it is dropped, as is everything until the next snapshot. */
  put(frame: Frame): void {
    if (this.#isOver) return;
    const { frames: mostFrames, bytes: mostBytes } = this.deps.limits ?? {
      frames: MAX_WAITING_FRAMES,
      bytes: MAX_WAITING_BYTES,
    };
    const bytes = bytesOf(frame) + FRAME_BYTES;
    const isTooMuch = this.#waiting.frames >= mostFrames || this.#waiting.bytes + bytes > mostBytes;
    if (isTooMuch && this.#waiting.frames > 0) return this.#fail(new Error(TOO_SLOW));
    this.#number += 1;
    this.#waiting.frames += 1;
    this.#waiting.bytes += bytes;
    this.#times.push(this.deps.clock.monotonic());
    if (this.#times.length > MAX_TIMES) this.#times = this.#times.slice(-MAX_TIMES / 2);
    const placed = { position: this.position(), frame };
    if (this.#held) this.#held.push(placed);
    else this.#send(placed);
  }

  /** The first snapshot is stored, so every reader of this run's frames finds it. */
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
   * The lag of a relay that sent a frame `agoMs` ago: the number of later frames, and the age of the oldest
   * of these in ms, null if unknown.
   */
  behind(number: number, agoMs: number): { frames: number; ms: number | null } {
    const at = this.deps.clock.monotonic() - agoMs;
    const later = this.#times.length - 1 - this.#times.findLastIndex((made) => made <= at);
    const frames = Math.max(0, this.#number - later - number);
    if (frames === 0) return { frames, ms: 0 };
    const since = this.#number - number;
    const made = since > this.#times.length ? undefined : this.#times.at(-since);
    return { frames, ms: made === undefined ? null : at - made };
  }

  /** Resolves when Redis has confirmed all frames, or the run is over. */
  settled(): Promise<void> {
    if (this.#isOver || this.#waiting.frames === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#settled = resolve;
    });
  }

  #send(placed: Placed): void {
    if (this.#isOver) return;
    this.deps.engine.publish(placed).then(
      () => this.#confirmed(bytesOf(placed.frame)),
      (error: unknown) => this.#fail(error),
    );
  }

  #confirmed(bytes: number): void {
    this.#waiting.frames -= 1;
    this.#waiting.bytes -= bytes + FRAME_BYTES;
    this.deps.published(bytes);
    if (this.#waiting.frames === 0) this.#settled?.();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.deps.failed(error);
  }
}

type SnapshotKeeperDeps = {
  engine: Pick<Engine, 'keepSnapshot'>;
  clock: Stopwatch;
  version: RelayVersion;
  streams: KeptSnapshot['streams'];
  whole(): WholeMarket;
};

/** Stores the whole market in Redis, as it is after a frame. */
export class SnapshotKeeper {
  #making = 0;
  #at = 0;
  #number = 0;

  constructor(private readonly deps: SnapshotKeeperDeps) {}

  /** Stores the market, unless the run ends before that. @throws EngineError */
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

  framesSince(run: Run): number {
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
