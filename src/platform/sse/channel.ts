import type { SystemClock } from '#lib/clock.ts';
import { lazy } from '#lib/lazy.ts';
import {
  answerStream,
  createOpeningLimit,
  type Greeting,
  type OpeningLimit,
  type StreamLimits,
} from './answer.ts';
import { type Broker, type BrokerStats, createBroker } from './broker.ts';
import type { DeliveryDeps, DeliveryLimits } from './delivery.ts';
import { type ChannelTap, createSequence, eventText, type Message, packEvent, toBytes } from './message.ts';
import { type ResumeLimits, ReplayBuffer } from './replayBuffer.ts';

/** Pings at a fixed interval while there are clients, and additionally after a silence. */
class Pings {
  #pings: ReturnType<typeof setInterval> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #here = false;
  #elsewhere = false;

  /** @param everyMs null never pings; @param quietMs the silence before an additional ping */
  constructor(
    private readonly everyMs: number | null,
    private readonly quietMs: number,
    private readonly ping: () => void,
  ) {}

  busy(hasClients: boolean): void {
    this.#here = hasClients;
    this.#follow();
  }

  /** Whether relays have clients, which receive messages by the tap. */
  busyElsewhere(hasClients: boolean): void {
    this.#elsewhere = hasClients;
    this.#follow();
  }

  expectPings(): void {
    if (this.#pings) this.#expectWord();
  }

  #follow(): void {
    const isWanted = this.everyMs !== null && (this.#here || this.#elsewhere);
    if (isWanted === (this.#pings !== undefined)) return;
    clearInterval(this.#pings);
    clearTimeout(this.#quiet);
    this.#pings = isWanted ? setInterval(this.ping, this.everyMs ?? 0) : undefined;
    if (isWanted) this.#expectWord();
  }

  #expectWord(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(this.ping, this.quietMs);
  }
}

const STOPPING = 'The server is stopping. Try again shortly.';
const PING_MS = 10_000;
/** Pages doubt a stream that is silent for 5 s, so a silent one is pinged earlier. */
const QUIET_PING_MS = 2000;
const LIMITS: DeliveryLimits = {
  waitingBytes: 1 << 20,
  fullMs: 60_000,
  openingMs: 400,
  // A phone at 4 KB per second makes progress. After two minutes the opening is out of date.
  flightMs: 120_000,
  stuckMs: 15_000,
  flights: { all: 256, perAddress: 32 },
};
const RESUME: ResumeLimits = { bytes: 4 << 20, ageMs: 120_000 };

export type SseChannelDeps = Omit<DeliveryDeps, 'limits' | 'clock'> & {
  clock: SystemClock;
  /** The caller's address; '' if unknown. Without it streams are not counted by address. */
  clientAddress?(request: Request): string;
  streams?: StreamLimits;
  /** Differs for every run, so that ids of an earlier run are not resumed. */
  epoch?: string;
  /** The number before the first event, if the primary numbers them; 0 if absent. */
  firstSeq?: number;
  /** Other streams that count towards `streams`: of an address, null for all. */
  elsewhere?(address: string | null): number;
  /** The ping interval; null if the events' source pings. */
  pingMs?: number | null;
  /** The silence before an additional ping; default `pingMs`. */
  quietPingMs?: number;
  limits?: Partial<DeliveryLimits>;
  /** Limits of the events kept for returning clients; null if the greeting resumes by the events' own ids. */
  resume?: ResumeLimits | null;
  /** Called for every client before each ping: true ends the stream, because its session ended. */
  isOver?(request: Request): boolean;
  tap?: ChannelTap | undefined;
};

export type ChannelStreams = { clients: number; addresses: Record<string, number> };

export type ChannelStats = BrokerStats & { seq: number; resumeBytes: number };

const NOTHING_FIRST: Greeting = {
  opening: () => ({ messages: [], next: null }),
  refresh: () => ({ messages: [], next: null }),
};

/**
 * A stream of server-sent events to any number of clients: headers, gzip, pings, ids, and resuming. It is
 * independent of the events' meaning.
 * @typeParam Events the stream's events by name, with their data; the channel adds `ping`
 */
export class SseChannel<Events> {
  /** Identifies this run in the ids of events. */
  readonly epoch: string;
  readonly #ring: ReplayBuffer;
  readonly #sequence = lazy(createSequence);
  readonly #openings: OpeningLimit | null;
  readonly #pings: Pings;
  readonly #broker: Broker;
  #seq: number;
  #closed = false;
  #startsOver = false;
  #hasClients = false;
  /** When the last client left, by the stopwatch. */
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: SseChannelDeps) {
    const { clock, log, cutOff, streams, pingMs = PING_MS } = deps;
    const { quietPingMs = deps.pingMs ?? QUIET_PING_MS } = deps;
    const { epoch = crypto.randomUUID().slice(0, 8), firstSeq = 0 } = deps;
    this.epoch = epoch;
    this.#ring = new ReplayBuffer(epoch, deps.resume ?? RESUME, firstSeq);
    this.#seq = firstSeq;
    this.#openings = streams ? createOpeningLimit(clock, streams) : null;
    this.#pings = new Pings(pingMs, quietPingMs, () => this.#ping());
    const busy = (hasClients: boolean): void => this.#follow(hasClients);
    this.#broker = createBroker({ clock, log, cutOff, limits: { ...LIMITS, ...deps.limits }, busy });
  }

  /**
   * Answers a request for the stream; HEAD with only the headers, 429 or 503 beyond the limits, 503 once it is
   * closed. A client that names its last event gets those since.
   * @param audience whose own events it gets in addition to the shared ones
   */
  open(request: Request, greeting: Greeting = NOTHING_FIRST, audience: string | null = null): Response {
    if (this.#closed) return Response.json({ error: STOPPING }, { status: 503 });
    const { clientAddress, streams, elsewhere } = this.deps;
    return answerStream(request, {
      broker: this.#broker,
      openings: this.#openings,
      replayBuffer: this.#isResumable() ? this.#ring : null,
      greeting,
      audience,
      clientAddress,
      streams,
      elsewhere,
    });
  }

  /** Encodes and compresses an event once and sends it to every client. Without clients it is only counted. */
  send<Name extends keyof Events & string>(event: Name, data: Events[Name]): void {
    const seq = this.#seq + 1;
    if (this.#isUnheard()) {
      this.#seq = seq;
      this.#ring.skipTo(seq);
      this.beginAnew();
      return;
    }
    const message = this.#pack(eventText(event, this.idOf(seq), data));
    this.forward(seq, message);
    this.deps.tap?.everybody(seq, message);
  }

  /**
   * Sends every client a message of the primary. Events arrive in the order of their numbers, without a gap.
   * @param seq the event's number; null for a ping, which is not kept
   */
  forward(seq: number | null, message: Message): void {
    if (seq !== null) {
      this.#seq = seq;
      this.#ring.add(seq, message, this.deps.clock.monotonic());
    }
    this.#publish(message);
  }

  /** The next message refers to none before it, so that a client with the current state can read it. */
  beginAnew(): void {
    this.#startsOver = true;
  }

  /** Whether relays have clients, for whom pings continue. */
  receivedElsewhere(isReceived: boolean): void {
    this.#pings.busyElsewhere(isReceived && !this.#closed);
  }

  endThose(isOver: (request: Request) => boolean): void {
    this.#broker.endThose(isOver);
  }

  /**
   * Sends an event only to the clients of an audience. It is not kept for returning clients.
   * @param id by which a greeting resumes; null keeps the client's last id
   */
  sendTo<Name extends keyof Events & string>(
    audience: string,
    event: Name,
    id: string | null,
    data: Events[Name],
  ): void {
    if (!this.isReceived(audience)) return;
    const message = packEvent(event, id, data);
    this.forwardTo(audience, message);
    this.deps.tap?.audience(audience, message);
  }

  forwardTo(audience: string, message: Message): void {
    this.#broker.publishTo(audience, message);
  }

  hasAudience(audience: string): boolean {
    return this.#broker.countOf(audience) > 0;
  }

  isReceived(audience: string): boolean {
    return this.deps.tap !== undefined || this.hasAudience(audience);
  }

  seq(): number {
    return this.#seq;
  }

  idOf(seq: number): string {
    return this.#ring.idOf(seq);
  }

  /** The events after `seq`, oldest first; null if one is no longer kept. */
  after(seq: number): Message[] | null {
    return this.#ring.after(seq);
  }

  /** The number of open streams, and of each address that has at least this many. */
  openStreams(least: number): ChannelStreams {
    return { clients: this.#broker.count(null), addresses: this.#broker.addresses(least) };
  }

  stats(): ChannelStats {
    return { ...this.#broker.stats(), seq: this.#seq, resumeBytes: this.#ring.bytes() };
  }

  close(): void {
    if (!this.#closed) this.deps.tap?.closing();
    this.#closed = true;
    this.#pings.busyElsewhere(false);
    this.#broker.close();
  }

  #pack(text: string): Message {
    const message = this.#sequence()(toBytes(text), this.#startsOver);
    this.#startsOver = false;
    return message;
  }

  #follow(hasClients: boolean): void {
    this.#hasClients = hasClients;
    if (!hasClients) this.#leftAt = this.deps.clock.monotonic();
    this.#pings.busy(hasClients);
  }

  /** True without clients once all returning ones would be too late. */
  #isUnheard(): boolean {
    const { tap, resume, clock } = this.deps;
    if (this.#hasClients || tap !== undefined) return false;
    return clock.monotonic() - this.#leftAt > (resume ?? RESUME).ageMs;
  }

  #isResumable(): boolean {
    return this.deps.resume !== null;
  }

  #ping(): void {
    this.#endThoseOver();
    const id = this.#isResumable() ? this.idOf(this.#seq) : null;
    const message = this.#pack(eventText('ping', id, { time: this.deps.clock.now() }));
    this.#publish(message);
    this.deps.tap?.everybody(null, message);
  }

  /** Runs in a timer, where an exception would end the process. */
  #endThoseOver(): void {
    const { isOver, log } = this.deps;
    try {
      if (isOver) this.endThose(isOver);
    } catch (error) {
      log.error('Could not check which streams have ended; trying again at the next ping', { error });
    }
  }

  #publish(message: Message): void {
    this.#broker.publish(message);
    this.#pings.expectPings();
  }
}
