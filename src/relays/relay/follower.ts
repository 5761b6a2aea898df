import type { Stopwatch } from '#lib/clock.ts';
import { errorCode } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { Snapshot } from '#market/rules/stream.ts';
import { MAX_REACH, type Message, sequenced, unpack, unpackAfter } from '#platform/sse/message.ts';
import {
  type AudienceFrame,
  type MarketFrame,
  type Placed,
  type Position,
  PROTOCOL,
  type SessionsFrame,
} from '../engine/frame.ts';
import type { Engine, KeptSnapshot } from '../engine/types.ts';
import { MarketCopy, readMarketEvent } from './marketCopy.ts';

/** Whether a position comes after another; any does after null. */
const isAfter = (one: Position, other: Position | null): boolean =>
  other === null || one.run > other.run || (one.run === other.run && one.number > other.number);

/** Whether nothing can be between two positions; of two runs that is not known. */
const isNext = (one: Position, before: Position): boolean =>
  one.run === before.run && one.number === before.number + 1;

/** A frame as it was read: the message of a block of the market; null where there is none, or it could not be read. */
export type ReadFrame = Placed & { message: Message | null };

/** Of what is kept until a snapshot fits: more than is told between two snapshots. */
const MAX_FRAMES = 5000;
const MAX_BYTES = 32 << 20;

/** The newest frames that were read, oldest first. */
class ReadFrames {
  #frames: ReadFrame[] = [];
  #bytes = 0;

  add(frame: ReadFrame): void {
    this.#frames.push(frame);
    this.#bytes += frame.message?.bytes() ?? 0;
    while (this.#frames.length > MAX_FRAMES || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#frames.shift()?.message?.bytes() ?? 0;
    }
  }

  all(): readonly ReadFrame[] {
    return this.#frames;
  }
}

/** What leads from a snapshot to the present. */
type Fit = {
  /** Events that the snapshot includes, right before it without a gap: kept for those who come back. */
  before: { seq: number; message: Message }[];
  /** Frames that come after it. */
  after: ReadFrame[];
};

type Of = Pick<KeptSnapshot, 'position' | 'epoch' | 'seq'>;

/** Whether frames go on right behind a snapshot, each of them whole. */
function goOn({ position, epoch, seq }: Of, frames: readonly ReadFrame[]): boolean {
  let last = position;
  let number = seq;
  for (const { position: next, frame, message } of frames) {
    if (!isNext(next, last) || frame.kind === 'closing') return false;
    last = next;
    if (frame.kind !== 'market') continue;
    if (frame.epoch !== epoch || message === null) return false;
    if (frame.seq === null) continue;
    if (frame.seq !== number + 1) return false;
    number = frame.seq;
  }
  return true;
}

/** The events right before a snapshot, oldest first; null when those of its own run contradict it. */
function eventsBefore({ position: at, epoch, seq }: Of, frames: readonly ReadFrame[]): Fit['before'] | null {
  const events: Fit['before'] = [];
  let number = seq;
  for (const { position, frame, message } of frames.toReversed()) {
    if (frame.kind !== 'market' || frame.seq === null) continue;
    if (frame.epoch !== epoch || message === null) break;
    if (frame.seq !== number) {
      // Between two runs the primary could publish nothing: then nobody who comes back can go on from before.
      if (events.length === 0 && position.run === at.run) return null;
      break;
    }
    events.unshift({ seq: frame.seq, message });
    number -= 1;
  }
  return events;
}

/**
 * Puts a snapshot and the frames that are kept together.
 *
 * @param frames all that are kept, oldest first, each position once
 * @returns null when they do not lead from the snapshot to the present
 */
export function fit(snapshot: Of, frames: readonly ReadFrame[]): Fit | null {
  const after = frames.filter(({ position }) => isAfter(position, snapshot.position));
  const before = eventsBefore(snapshot, frames.slice(0, frames.length - after.length));
  return before && goOn(snapshot, after) ? { before, after } : null;
}

type Known = { place: number; text: Uint8Array };

const isBroken = (error: unknown): boolean => /^Z_|^ERR_/.test(errorCode(error));

/** The text of a block, null when it is damaged. */
function textOf(before: readonly Uint8Array[], block: Uint8Array): Uint8Array | null {
  try {
    return unpackAfter(before, block);
  } catch (error) {
    if (!isBroken(error)) throw error;
    return null;
  }
}

/** Reads the blocks of the market's stream in their order: each may refer to the texts right before it. */
class BlockReader {
  #recent: Known[] = [];

  /** @returns null when the texts that it refers to are not known, or it is damaged */
  read({ place, reach, block }: MarketFrame): Message | null {
    const before = this.#before(place, reach);
    const text = before && textOf(before, block);
    if (text === null) {
      this.#recent = [];
      return null;
    }
    this.#recent = [...this.#recent.slice(1 - MAX_REACH), { place, text }];
    return sequenced({ place, reach, block }, text);
  }

  /** The texts right before a place, oldest first; null when one of them is not known. */
  #before(place: number, reach: number): Uint8Array[] | null {
    const known = reach === 0 ? [] : this.#recent.slice(-reach);
    const isWhole = known.length === reach && known.every((one, at) => one.place === place - reach + at);
    return isWhole ? known.map(({ text }) => text) : null;
  }
}

/** How long a reading waits for the next frame, ms. */
const WAIT_MS = 1000;
/** How long after a failure it is tried again, ms. */
const RETRY_MS = 500;
/** How long a snapshot that does not fit counts as the newest, ms. */
const SNAPSHOT_MS = 1000;
/** Silence after which it is asked whether the engine has begun anew, ms. */
const SILENT_MS = 5000;
/** Silence after which the primary is asked for a word, ms: it says one by itself after 2 s in which it had nothing to say. */
const UNHEARD_MS = 3000;

/** A life of the market's stream: from a snapshot on, as long as nothing is missing. */
export type Life = {
  epoch: string;
  copy: MarketCopy;
  /** Gives everybody a message. @param seq null for a ping */
  forward(seq: number | null, message: Message): void;
  /** The number of the event given last. */
  seq(): number;
  /** Ends all streams; who listened is to come back. */
  close(): void;
};

type FollowerDeps = {
  engine: Pick<Engine, 'read' | 'snapshot' | 'newest' | 'askForWord' | 'listen'>;
  clock: Stopwatch;
  log: Log;
  /** Begins a life. @param firstSeq the number of the event before the first that is given */
  begin(kept: KeptSnapshot, copy: MarketCopy, firstSeq: number): Life;
  audience(frame: AudienceFrame): void;
  sessions(frame: SessionsFrame): void;
  /** Frames for audiences may have been missed. */
  missed(): void;
};

/** What the follower knows of the primary. */
type Standing = {
  /** The frame that was taken last. */
  position: Position | null;
  /** The newest snapshot that was seen, of whatever protocol. */
  kept: KeptSnapshot | null;
  life: Life | null;
  /** When the primary was heard last, by the stopwatch; null before that. */
  heardAt: number | null;
};

/** The data of a kept snapshot, which the primary sealed and so knows the form of. @throws when it is damaged */
const unpackSnapshot = ({ packed }: KeptSnapshot): Snapshot =>
  JSON.parse(new TextDecoder().decode(unpack(packed))) as Snapshot;

/**
 * Follows the primary through the message engine. What it gives on is whole: it begins with a snapshot and the frames that
 * fit behind it, and once one is missing all of it ends and begins anew.
 */
export class Follower {
  readonly standing: Standing = { position: null, kept: null, life: null, heardAt: null };
  #blocks = new BlockReader();
  /** Up to where the engine was read. */
  #read: Position | null = null;
  /** All that was read, while there is no life. */
  #frames = new ReadFrames();
  #isCaughtUp = false;
  #keptAt: number | null = null;
  #askedAt = 0;
  #isStopped = false;
  #isStarted = false;

  #endPause = (): void => undefined;

  constructor(private readonly deps: FollowerDeps) {}

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.deps.engine.listen({ up: () => this.#endPause() });
    void this.#run();
  }

  /** Ends all streams; what is being read is not taken any more. */
  stop(): void {
    this.#isStopped = true;
    this.standing.life?.close();
    this.standing.life = null;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#step();
      } catch (error) {
        // That the engine went, and is back, the log is told by who listens to it.
        this.deps.log.debug('The message engine could not be read', { error });
        await this.#pause();
      }
    }
  }

  /** Until it may be tried again: at once when the engine comes back. */
  async #pause(): Promise<void> {
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    await Promise.race([isUp, Bun.sleep(RETRY_MS)]);
  }

  /** Reads once, and takes what came. */
  async #step(): Promise<void> {
    const { engine, clock } = this.deps;
    const wasCaughtUp = this.#isCaughtUp;
    if (wasCaughtUp) await this.#askForWord();
    const placed = await engine.read(this.#read, wasCaughtUp ? WAIT_MS : 1);
    if (this.#isStopped) return;
    if (placed.length === 0) this.#isCaughtUp = true;
    else if (wasCaughtUp) this.standing.heardAt = clock.monotonic();
    for (const one of placed) {
      if (this.#takeOne(one) === 'again') break;
    }
    if (this.standing.life === null && this.#isCaughtUp) await this.#tryToBegin();
    await this.#lookForNewEngine();
  }

  /** Nothing counts as live before a frame came behind all that was there: the primary need not be waited for. */
  async #askForWord(): Promise<void> {
    const { engine, clock, log } = this.deps;
    const { heardAt } = this.standing;
    if (heardAt !== null && clock.monotonic() - heardAt < UNHEARD_MS) return;
    try {
      await engine.askForWord();
    } catch (error) {
      // It tells something by itself before long.
      log.debug('The primary could not be asked for a word', { error });
    }
  }

  /** @returns 'again' when all that is kept is to be read again */
  #takeOne(placed: Placed): 'again' | null {
    const { position, frame } = placed;
    if (!isAfter(position, this.#read)) return null;
    this.#read = position;
    const message = frame.kind === 'market' ? this.#blocks.read(frame) : null;
    const { life } = this.standing;
    if (life) {
      const problem = this.#take(life, { position, frame, message });
      return problem === null ? null : this.#lose(problem);
    }
    this.#frames.add({ position, frame, message });
    return null;
  }

  /** @returns why the life is over; null while it goes on */
  #take(life: Life, { position, frame, message }: ReadFrame): string | null {
    const before = this.standing.position;
    const isOfRun = before !== null && before.run === position.run;
    if (isOfRun ? !isNext(position, before) : position.number !== 1) return 'a frame is missing';
    // While the primary was without the engine nobody heard what it had to say to single people.
    if (!isOfRun) this.deps.missed();
    this.standing.position = position;
    if (frame.kind === 'audience') this.deps.audience(frame);
    else if (frame.kind === 'sessions') this.deps.sessions(frame);
    else if (frame.kind === 'market') return this.#takeMarket(life, frame, message);
    else if (frame.kind === 'closing') {
      this.standing.heardAt = null;
      return 'the primary is stopping';
    }
    return null;
  }

  #takeMarket(life: Life, frame: MarketFrame, message: Message | null): string | null {
    if (frame.epoch !== life.epoch) return 'the primary was started again';
    if (message === null) return 'a frame could not be read';
    const expected = life.seq() + (frame.seq === null ? 0 : 1);
    const event = readMarketEvent(message.plain(), `${frame.epoch}-${expected}`);
    if ((frame.seq ?? expected) !== expected || event === null) return 'an event is missing';
    life.copy.apply(event);
    life.forward(frame.seq, message);
    return null;
  }

  /** The life is over: who listened comes back to a new one. */
  #lose(reason: string): 'again' {
    this.deps.log.info('The market is read from its snapshot again', { because: reason });
    this.standing.life?.close();
    this.deps.missed();
    Object.assign(this.standing, { life: null, position: null });
    this.#readAgain();
    return 'again';
  }

  #readAgain(): void {
    this.#blocks = new BlockReader();
    this.#read = null;
    this.#frames = new ReadFrames();
    this.#isCaughtUp = false;
    this.#keptAt = null;
  }

  /** Begins a life where the newest snapshot and the frames fit together. */
  async #tryToBegin(): Promise<void> {
    const { engine, clock } = this.deps;
    const now = clock.monotonic();
    if (this.#keptAt === null || now - this.#keptAt >= SNAPSHOT_MS) {
      this.standing.kept = await engine.snapshot();
      this.#keptAt = now;
    }
    const { kept } = this.standing;
    if (this.#isStopped || kept?.protocol !== PROTOCOL) return;
    const found = fit(kept, this.#frames.all());
    if (found) this.#begin(kept, new MarketCopy(unpackSnapshot(kept), clock), found);
  }

  #begin(kept: KeptSnapshot, copy: MarketCopy, { before, after }: Fit): void {
    const life = this.deps.begin(kept, copy, (before[0]?.seq ?? kept.seq + 1) - 1);
    for (const { seq, message } of before) life.forward(seq, message);
    this.#frames = new ReadFrames();
    Object.assign(this.standing, { life, position: kept.position });
    for (const one of after) {
      const problem = this.#take(life, one);
      if (problem !== null) return void this.#lose(problem);
    }
    const { epoch, position } = kept;
    this.deps.log.info('The market is followed', { epoch, run: position.run, seq: life.seq() });
  }

  /** An engine that lost what it kept, or one in its place, may number from less: then no later frame ever comes. */
  async #lookForNewEngine(): Promise<void> {
    const now = this.deps.clock.monotonic();
    const since = Math.max(this.standing.heardAt ?? 0, this.#askedAt);
    if (this.#read === null || now - since < SILENT_MS) return;
    this.#askedAt = now;
    const newest = await this.deps.engine.newest();
    if (newest !== null && !isAfter(this.#read, newest)) return;
    if (this.standing.life) this.#lose('the message engine has begun anew');
    else this.#readAgain();
  }
}
