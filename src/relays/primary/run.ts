import type { Stopwatch } from '#lib/clock.ts';
import { inSlices } from '#lib/turns.ts';
import type { WholeMarket } from '#market/stream/hub.ts';
import { packData } from '#market/stream/snapshot.ts';
import type { Engine, Frame, KeptSnapshot, Placed, Position, RelayVersion } from '../engine/types.ts';

/** Frames, and their bytes, that the engine has not confirmed: past that it is too slow, and a new run is cheaper. */
const MAX_WAITING_FRAMES = 2000;
const MAX_WAITING_BYTES = 32 << 20;
/** Of so many frames it is known when they were published. */
const MAX_TIMES = 4000;
/** A frame's own part of memory, besides its block. */
const FRAME_BYTES = 200;

const TOO_SLOW = 'The message engine took what was published too slowly.';

const bytesOf = (frame: Frame): number => ('block' in frame ? frame.block.byteLength : 0);

export type RunDeps = {
  engine: Pick<Engine, 'publish'>;
  clock: Stopwatch;
  /** The engine has a frame. @param bytes of its block */
  published(bytes: number): void;
  /** Called once, when the run is over because a frame was not published. */
  failed(error: unknown): void;
  limits?: { frames: number; bytes: number };
};

/**
 * What is published from one connection to the engine to its loss: frames with numbers from 1, without a gap. They go
 * out in this order, as the engine's client sends what it is asked one behind the other.
 */
export class Run {
  #number = 0;
  /** Frames that wait for the run's snapshot; null once that is kept. */
  #held: Placed[] | null = [];
  #waiting = { frames: 0, bytes: 0 };
  /** When the newest frames were made, by the stopwatch, the last being the newest. */
  #times: number[] = [];
  #isOver = false;
  #wasOpen = false;
  #settled: (() => void) | null = null;

  constructor(
    readonly id: number,
    private readonly deps: RunDeps,
  ) {}

  /** The position of the frame that was made last; number 0 before the first. */
  position(): Position {
    return { run: this.id, number: this.#number };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** It has or had its snapshot. */
  get wasOpen(): boolean {
    return this.#wasOpen;
  }

  /** Frames go out. */
  get isOpen(): boolean {
    return this.#held === null && !this.#isOver;
  }

  /** Publishes a frame; one that comes when the run is over is lost, as all that goes by until the next snapshot is. */
  put(frame: Frame): void {
    if (this.#isOver) return;
    const { frames: mostFrames, bytes: mostBytes } = this.deps.limits ?? {
      frames: MAX_WAITING_FRAMES,
      bytes: MAX_WAITING_BYTES,
    };
    const bytes = bytesOf(frame) + FRAME_BYTES;
    const isTooMuch = this.#waiting.frames >= mostFrames || this.#waiting.bytes + bytes > mostBytes;
    // A single frame that is larger than all that may wait goes all the same.
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

  /** The snapshot of the beginning is kept: whoever sees a frame of this run finds it. */
  open(): void {
    const held = this.#held ?? [];
    this.#wasOpen = true;
    this.#held = null;
    for (const placed of held) this.#send(placed);
  }

  /** Nothing is published any more. */
  end(): void {
    this.#isOver = true;
    this.#held = null;
    this.#settled?.();
  }

  /**
   * How far a relay was behind that had given a frame so long ago: frames that had been made after it, and the age of the
   * oldest of these, in ms; that is null where it is not known any more.
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

  /** Resolves when the engine has confirmed all frames, or the run is over. */
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
  /** The market as it stands; read in one piece with the position of the run. */
  whole(): WholeMarket;
};

/** Keeps the whole market in the engine, as it is after a frame. */
export class SnapshotKeeper {
  #making = 0;
  /** When one was read last, by the stopwatch, and at which frame. */
  #at = 0;
  #number = 0;

  constructor(private readonly deps: SnapshotKeeperDeps) {}

  /** Keeps the market as it stands; of a run that is over meanwhile it keeps nothing. @throws EngineError */
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

  /** How long ago the last one was read, ms. */
  age(): number {
    return this.deps.clock.monotonic() - this.#at;
  }

  /** How many frames of the run came since. */
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
