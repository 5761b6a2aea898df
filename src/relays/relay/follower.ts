import type { Stopwatch } from '#lib/clock.ts';
import { errorCode } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { Snapshot } from '#market/rules/stream.ts';
import { MAX_REACH, type Message, sequenced, unpack, unpackAfter } from '#platform/sse/message.ts';
import {
  type AudienceMessage,
  type MarketMessage,
  type Placed,
  type Position,
  PROTOCOL,
  type SessionsMessage,
} from '../redis/relayMessage.ts';
import type { Redis, KeptSnapshot } from '../redis/types.ts';
import { MarketCopy, readMarketEvent } from './marketCopy.ts';

const isAfter = (one: Position, other: Position | null): boolean =>
  other === null || one.run > other.run || (one.run === other.run && one.number > other.number);

/** Whether `one` directly follows `before`. False for different runs, because that is unknown. */
const isNext = (one: Position, before: Position): boolean =>
  one.run === before.run && one.number === before.number + 1;

/** `message` is the block of the market; null if there is none or it could not be read. */
export type ReadMessage = Placed & { message: Message | null };

/** Messages and bytes buffered until a snapshot fits; more than are sent between two snapshots. */
const MAX_MESSAGES = 5000;
const MAX_BYTES = 32 << 20;

class ReadMessages {
  #messages: ReadMessage[] = [];
  #bytes = 0;

  add(relayMessage: ReadMessage): void {
    this.#messages.push(relayMessage);
    this.#bytes += relayMessage.message?.bytes() ?? 0;
    while (this.#messages.length > MAX_MESSAGES || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#messages.shift()?.message?.bytes() ?? 0;
    }
  }

  all(): readonly ReadMessage[] {
    return this.#messages;
  }
}

type Fit = {
  /** Events included in the snapshot, without a gap before it, for clients that resume. */
  before: { seq: number; message: Message }[];
  after: ReadMessage[];
};

type Of = Pick<KeptSnapshot, 'position' | 'epoch' | 'seq'>;

function goOn({ position, epoch, seq }: Of, relayMessages: readonly ReadMessage[]): boolean {
  let last = position;
  let number = seq;
  for (const { position: next, relayMessage, message } of relayMessages) {
    if (!isNext(next, last) || relayMessage.kind === 'closing') return false;
    last = next;
    if (relayMessage.kind !== 'market') continue;
    if (relayMessage.epoch !== epoch || message === null) return false;
    if (relayMessage.seq === null) continue;
    if (relayMessage.seq !== number + 1) return false;
    number = relayMessage.seq;
  }
  return true;
}

/** The events directly before a snapshot, oldest first; null if messages of its run contradict it. */
function eventsBefore(
  { position: at, epoch, seq }: Of,
  relayMessages: readonly ReadMessage[],
): Fit['before'] | null {
  const events: Fit['before'] = [];
  let number = seq;
  for (const { position, relayMessage, message } of relayMessages.toReversed()) {
    if (relayMessage.kind !== 'market' || relayMessage.seq === null) continue;
    if (relayMessage.epoch !== epoch || message === null) break;
    if (relayMessage.seq !== number) {
      // The primary could publish nothing between two runs, so no client can resume from before.
      if (events.length === 0 && position.run === at.run) return null;
      break;
    }
    events.unshift({ seq: relayMessage.seq, message });
    number -= 1;
  }
  return events;
}

/**
 * Joins a snapshot and the buffered messages.
 * @param relayMessages oldest first, each position once
 * @returns null if a message after the snapshot is missing
 */
export function fit(snapshot: Of, relayMessages: readonly ReadMessage[]): Fit | null {
  const after = relayMessages.filter(({ position }) => isAfter(position, snapshot.position));
  const before = eventsBefore(snapshot, relayMessages.slice(0, relayMessages.length - after.length));
  return before && goOn(snapshot, after) ? { before, after } : null;
}

type Known = { place: number; text: Uint8Array };

const isBroken = (error: unknown): boolean => /^Z_|^ERR_/.test(errorCode(error));

function textOf(before: readonly Uint8Array[], block: Uint8Array): Uint8Array | null {
  try {
    return unpackAfter(before, block);
  } catch (error) {
    if (!isBroken(error)) throw error;
    return null;
  }
}

/** Reads the blocks of the market's stream in order, because each may reference earlier ones. */
class BlockReader {
  #recent: Known[] = [];

  read({ place, reach, block }: MarketMessage): Message | null {
    const before = this.#before(place, reach);
    const text = before && textOf(before, block);
    if (text === null) {
      this.#recent = [];
      return null;
    }
    this.#recent = [...this.#recent.slice(1 - MAX_REACH), { place, text }];
    return sequenced({ place, reach, block }, text);
  }

  #before(place: number, reach: number): Uint8Array[] | null {
    const known = reach === 0 ? [] : this.#recent.slice(-reach);
    const isWhole = known.length === reach && known.every((one, at) => one.place === place - reach + at);
    return isWhole ? known.map(({ text }) => text) : null;
  }
}

const WAIT_MS = 1000;
const RETRY_MS = 500;
/** How long an unfitting snapshot is not read again, ms. */
const SNAPSHOT_MS = 1000;
/** Silence after which Redis is checked for a restart, ms. */
const SILENT_MS = 5000;
/** Silence after which the relay requests a sign of life from the primary, ms. It pings after 2 s without events. */
const ASK_AFTER_MS = 3000;

export type StreamSession = {
  epoch: string;
  copy: MarketCopy;
  forward(seq: number | null, message: Message): void;
  seq(): number;
  close(): void;
};

type FollowerDeps = {
  engine: Pick<Redis, 'read' | 'snapshot' | 'newest' | 'askForWord' | 'listen'>;
  clock: Stopwatch;
  log: Log;
  begin(kept: KeptSnapshot, copy: MarketCopy, firstSeq: number): StreamSession;
  audience(relayMessage: AudienceMessage): void;
  sessions(relayMessage: SessionsMessage): void;
  missed(): void;
};

type Status = {
  position: Position | null;
  kept: KeptSnapshot | null;
  session: StreamSession | null;
  /** Last message of the primary, by the stopwatch; null before the first. */
  receivedAt: number | null;
};

/** The seal proves its form. @throws if it is damaged */
const unpackSnapshot = ({ packed }: KeptSnapshot): Snapshot =>
  JSON.parse(new TextDecoder().decode(unpack(packed))) as Snapshot;

/**
 * Follows the primary through Redis. It sends a snapshot and the messages that continue it. After a missing
 * message it ends all streams and starts again.
 */
export class Follower {
  readonly status: Status = { position: null, kept: null, session: null, receivedAt: null };
  #blocks = new BlockReader();
  #read: Position | null = null;
  #messages = new ReadMessages();
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

  stop(): void {
    this.#isStopped = true;
    this.status.session?.close();
    this.status.session = null;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#step();
      } catch (error) {
        this.deps.log.debug('Could not read from Redis', { error });
        await this.#pause();
      }
    }
  }

  async #pause(): Promise<void> {
    const { promise: isUp, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    await Promise.race([isUp, Bun.sleep(RETRY_MS)]);
  }

  async #step(): Promise<void> {
    const { engine, clock } = this.deps;
    const wasCaughtUp = this.#isCaughtUp;
    if (wasCaughtUp) await this.#askForWord();
    const placed = await engine.read(this.#read, wasCaughtUp ? WAIT_MS : 1);
    if (this.#isStopped) return;
    if (placed.length === 0) this.#isCaughtUp = true;
    else if (wasCaughtUp) this.status.receivedAt = clock.monotonic();
    for (const one of placed) {
      if (this.#applyOne(one) === 'again') break;
    }
    if (this.status.session === null && this.#isCaughtUp) await this.#tryToBegin();
    await this.#checkForNewRedis();
  }

  /** Nothing is shown as live before a new message arrives, so the relay requests one from the primary. */
  async #askForWord(): Promise<void> {
    const { engine, clock, log } = this.deps;
    const { receivedAt } = this.status;
    if (receivedAt !== null && clock.monotonic() - receivedAt < ASK_AFTER_MS) return;
    try {
      await engine.askForWord();
    } catch (error) {
      log.debug('Could not ask the primary for a sign of life', { error });
    }
  }

  #applyOne(placed: Placed): 'again' | null {
    const { position, relayMessage } = placed;
    if (!isAfter(position, this.#read)) return null;
    this.#read = position;
    const message = relayMessage.kind === 'market' ? this.#blocks.read(relayMessage) : null;
    const { session } = this.status;
    if (session) {
      const problem = this.#apply(session, { position, relayMessage, message });
      return problem === null ? null : this.#lose(problem);
    }
    this.#messages.add({ position, relayMessage, message });
    return null;
  }

  /** Handles the next message. @returns why the session is over; null while it continues */
  #apply(session: StreamSession, { position, relayMessage, message }: ReadMessage): string | null {
    const before = this.status.position;
    const isOfRun = before !== null && before.run === position.run;
    if (isOfRun ? !isNext(position, before) : position.number !== 1) return 'a message is missing';
    // Events for single users were lost while the primary had no connection to Redis.
    if (!isOfRun) this.deps.missed();
    this.status.position = position;
    if (relayMessage.kind === 'audience') this.deps.audience(relayMessage);
    else if (relayMessage.kind === 'sessions') this.deps.sessions(relayMessage);
    else if (relayMessage.kind === 'market') return this.#applyMarket(session, relayMessage, message);
    else if (relayMessage.kind === 'closing') {
      this.status.receivedAt = null;
      return 'the primary is stopping';
    }
    return null;
  }

  #applyMarket(session: StreamSession, relayMessage: MarketMessage, message: Message | null): string | null {
    if (relayMessage.epoch !== session.epoch) return 'the primary was restarted';
    if (message === null) return 'a message could not be read';
    const expected = session.seq() + (relayMessage.seq === null ? 0 : 1);
    const event = readMarketEvent(message.plain(), `${relayMessage.epoch}-${expected}`);
    if ((relayMessage.seq ?? expected) !== expected || event === null) return 'an event is missing';
    session.copy.apply(event);
    session.forward(relayMessage.seq, message);
    return null;
  }

  #lose(reason: string): 'again' {
    this.deps.log.info('Loading the market snapshot again', { because: reason });
    this.status.session?.close();
    this.deps.missed();
    Object.assign(this.status, { session: null, position: null });
    this.#readAgain();
    return 'again';
  }

  #readAgain(): void {
    this.#blocks = new BlockReader();
    this.#read = null;
    this.#messages = new ReadMessages();
    this.#isCaughtUp = false;
    this.#keptAt = null;
  }

  async #tryToBegin(): Promise<void> {
    const { engine, clock } = this.deps;
    const now = clock.monotonic();
    if (this.#keptAt === null || now - this.#keptAt >= SNAPSHOT_MS) {
      this.status.kept = await engine.snapshot();
      this.#keptAt = now;
    }
    const { kept } = this.status;
    if (this.#isStopped || kept?.protocol !== PROTOCOL) return;
    const found = fit(kept, this.#messages.all());
    if (found) this.#begin(kept, new MarketCopy(unpackSnapshot(kept), clock), found);
  }

  #begin(kept: KeptSnapshot, copy: MarketCopy, { before, after }: Fit): void {
    const session = this.deps.begin(kept, copy, (before[0]?.seq ?? kept.seq + 1) - 1);
    for (const { seq, message } of before) session.forward(seq, message);
    this.#messages = new ReadMessages();
    Object.assign(this.status, { session, position: kept.position });
    for (const one of after) {
      const problem = this.#apply(session, one);
      if (problem !== null) return void this.#lose(problem);
    }
    const { epoch, position } = kept;
    this.deps.log.info('Receiving market updates', { epoch, run: position.run, seq: session.seq() });
  }

  /** A restarted or replaced Redis may number from a lower position. No later message would then be found. */
  async #checkForNewRedis(): Promise<void> {
    const now = this.deps.clock.monotonic();
    const since = Math.max(this.status.receivedAt ?? 0, this.#askedAt);
    if (this.#read === null || now - since < SILENT_MS) return;
    this.#askedAt = now;
    const newest = await this.deps.engine.newest();
    if (newest !== null && !isAfter(this.#read, newest)) return;
    if (this.status.session) this.#lose('Redis lost its messages');
    else this.#readAgain();
  }
}
