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
import { eventText, packEvent, toBytes } from './event.ts';
import { type ChannelTap, createSequence, type Message } from './message.ts';
import { type ResumeLimits, ResumeRing } from './resume.ts';

/** Pings at a fixed pace while somebody listens, and besides once nothing was said for a while. */
class Pings {
  #pings: ReturnType<typeof setInterval> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #here = false;
  #elsewhere = false;

  /** @param everyMs null never pings; @param quietMs how long nothing is said before it pings besides */
  constructor(
    private readonly everyMs: number | null,
    private readonly quietMs: number,
    private readonly ping: () => void,
  ) {}

  /** Whether there are clients here. */
  busy(hasClients: boolean): void {
    this.#here = hasClients;
    this.#follow();
  }

  /** Whether there are clients elsewhere, who hear what is said here. */
  busyElsewhere(hasClients: boolean): void {
    this.#elsewhere = hasClients;
    this.#follow();
  }

  /** Something was said. */
  said(): void {
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
/** Pages doubt a stream that was silent for 5 s: one that has nothing to say is pinged long before. */
const QUIET_PING_MS = 2000;
const LIMITS: DeliveryLimits = {
  waitingBytes: 1 << 20,
  fullMs: 60_000,
  openingMs: 400,
  // A phone at 4 KB a second makes progress; what is not there after two minutes is out of date.
  flightMs: 120_000,
  stuckMs: 15_000,
  flights: { all: 256, perAddress: 32 },
};
const RESUME: ResumeLimits = { bytes: 4 << 20, ageMs: 120_000 };

export type SseChannelDeps = Omit<DeliveryDeps, 'limits' | 'clock'> & {
  clock: SystemClock;
  /** The caller's address; '' when it is not known. Without it nobody's streams are counted by address. */
  clientAddress?(request: Request): string;
  /** How many streams may be open at once; as many as there are when it is absent. */
  streams?: StreamLimits;
  /** Differs for every run, so that ids of an earlier run are not resumed. */
  epoch?: string;
  /** The number of the event before the first, where somebody else numbers them; 0 when absent. */
  firstSeq?: number;
  /** Streams that others have open beside these and that count towards `streams`: of an address, null for all. */
  elsewhere?(address: string | null): number;
  /** How often it pings, whether there is something to say or not; null where who makes the events pings too. */
  pingMs?: number | null;
  /** How long it says nothing before it pings besides; `pingMs` when only that is given. */
  quietPingMs?: number;
  limits?: Partial<DeliveryLimits>;
  /** What is kept for those who come back; null where the greeting sees to them, by ids of the events' own. */
  resume?: ResumeLimits | null;
  /** Asked of every client before each ping: whether its stream is to end, because its session did. */
  isOver?(request: Request): boolean;
  /** Hears what is given, for clients elsewhere; nobody does when it is absent. */
  tap?: ChannelTap | undefined;
};

export type ChannelStreams = { clients: number; addresses: Record<string, number> };

export type ChannelStats = BrokerStats & { seq: number; resumeBytes: number };

const NOTHING_FIRST: Greeting = {
  opening: () => ({ messages: [], next: null }),
  refresh: () => ({ messages: [], next: null }),
};

/**
 * A stream of server-sent events to any number of clients: headers, gzip, pings, ids, and going on after a break. It
 * knows nothing of what the events mean.
 * @typeParam Events the stream's events by name, with their data; `ping` besides is the channel's own.
 */
export class SseChannel<Events> {
  /** Names this run of the stream in the ids of its events. */
  readonly epoch: string;
  readonly #ring: ResumeRing;
  readonly #sequence = lazy(createSequence);
  readonly #openings: OpeningLimit | null;
  readonly #pings: Pings;
  readonly #broker: Broker;
  #seq: number;
  #closed = false;
  #isAnew = false;
  #hasClients = false;
  /** When the last client left, by the stopwatch; before the first it is as if one had never been there. */
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: SseChannelDeps) {
    const { clock, log, cutOff, streams, pingMs = PING_MS } = deps;
    const { quietPingMs = deps.pingMs ?? QUIET_PING_MS } = deps;
    const { epoch = crypto.randomUUID().slice(0, 8), firstSeq = 0 } = deps;
    this.epoch = epoch;
    this.#ring = new ResumeRing(epoch, deps.resume ?? RESUME, firstSeq);
    this.#seq = firstSeq;
    this.#openings = streams ? createOpeningLimit(clock, streams) : null;
    this.#pings = new Pings(pingMs, quietPingMs, () => this.#ping());
    const busy = (hasClients: boolean): void => this.#follow(hasClients);
    this.#broker = createBroker({ clock, log, cutOff, limits: { ...LIMITS, ...deps.limits }, busy });
  }

  /**
   * Answers a request for the stream; to HEAD only with the headers, with 429 or 503 when too many are open or were
   * opened, with 503 once it is closed. A client that names the last event it got is given those since.
   * @param audience whose own events it gets besides those for everybody
   */
  open(request: Request, greeting: Greeting = NOTHING_FIRST, audience: string | null = null): Response {
    if (this.#closed) return Response.json({ error: STOPPING }, { status: 503 });
    const { clientAddress, streams, elsewhere } = this.deps;
    return answerStream(request, {
      broker: this.#broker,
      openings: this.#openings,
      ring: this.#isResumable() ? this.#ring : null,
      greeting,
      audience,
      clientAddress,
      streams,
      elsewhere,
    });
  }

  /** Encodes and compresses an event once and gives it to every client. Where nobody is left to get it, it is only counted. */
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
   * Gives every client a message that was made elsewhere. Events come in the order of their numbers, without a gap.
   * @param seq the event's number; null for a ping, which is not kept for those who come back
   */
  forward(seq: number | null, message: Message): void {
    if (seq !== null) {
      this.#seq = seq;
      this.#ring.add(seq, message, this.deps.clock.monotonic());
    }
    this.#publish(message);
  }

  /** The next message refers to none before it: who hears nothing earlier, and has the state of now, can read it. */
  beginAnew(): void {
    this.#isAnew = true;
  }

  /** Whether clients elsewhere hear by the tap: pings go on also while nobody is connected here. */
  heardElsewhere(isHeard: boolean): void {
    this.#pings.busyElsewhere(isHeard && !this.#closed);
  }

  /** Ends the streams of these requests. */
  endThose(isOver: (request: Request) => boolean): void {
    this.#broker.endThose(isOver);
  }

  /**
   * Gives an event to the clients of an audience alone. It is not kept for those who come back.
   * @param id its own, by which a greeting knows where a client was; null leaves the client's last id standing
   */
  sendTo<Name extends keyof Events & string>(
    audience: string,
    event: Name,
    id: string | null,
    data: Events[Name],
  ): void {
    if (!this.isHeard(audience)) return;
    const message = packEvent(event, id, data);
    this.forwardTo(audience, message);
    this.deps.tap?.audience(audience, message);
  }

  /** Gives a message that was made elsewhere to the clients of an audience. */
  forwardTo(audience: string, message: Message): void {
    this.#broker.publishTo(audience, message);
  }

  /** Whether an audience has clients here. */
  hasAudience(audience: string): boolean {
    return this.#broker.countOf(audience) > 0;
  }

  /** Whether what is sent to an audience is heard by anybody, as far as is known here. */
  isHeard(audience: string): boolean {
    return this.deps.tap !== undefined || this.hasAudience(audience);
  }

  /** The number of the event sent last; 0 before the first. */
  seq(): number {
    return this.#seq;
  }

  /** The id by which a client resumes after an event. */
  idOf(seq: number): string {
    return this.#ring.idOf(seq);
  }

  /** The events after that one, oldest first; null when one of them is not kept any more. */
  after(seq: number): Message[] | null {
    return this.#ring.after(seq);
  }

  /** How many streams are open: in all, and of each address that has at least so many. */
  openStreams(least: number): ChannelStreams {
    return { clients: this.#broker.count(null), addresses: this.#broker.addresses(least) };
  }

  stats(): ChannelStats {
    return { ...this.#broker.stats(), seq: this.#seq, resumeBytes: this.#ring.bytes() };
  }

  /** Ends every stream; later ones are refused with 503. */
  close(): void {
    if (!this.#closed) this.deps.tap?.closing();
    this.#closed = true;
    this.#pings.busyElsewhere(false);
    this.#broker.close();
  }

  #pack(text: string): Message {
    const message = this.#sequence()(toBytes(text), this.#isAnew);
    this.#isAnew = false;
    return message;
  }

  #follow(hasClients: boolean): void {
    this.#hasClients = hasClients;
    if (!hasClients) this.#leftAt = this.deps.clock.monotonic();
    this.#pings.busy(hasClients);
  }

  /** Whether nobody listens, and who last did has been away for longer than events are kept. */
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

  /** A failure to ask ends no stream, and not the process either: this runs in a timer. */
  #endThoseOver(): void {
    const { isOver, log } = this.deps;
    try {
      if (isOver) this.endThose(isOver);
    } catch (error) {
      log.error('Streams could not be asked whether they are over; they are at the next ping', { error });
    }
  }

  #publish(message: Message): void {
    this.#broker.publish(message);
    this.#pings.said();
  }
}
