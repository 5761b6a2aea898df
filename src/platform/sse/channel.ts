import type { SystemClock } from '../../lib/clock.ts';
import { answerStream, createOpeningLimit, type Greeting, type StreamLimits } from './answer.ts';
import { type BrokerStats, createBroker } from './broker.ts';
import type { DeliveryDeps, DeliveryLimits } from './delivery.ts';
import { eventText, packEvent, toBytes } from './event.ts';
import { createSequence, type Message } from './message.ts';
import { createResumeRing, type ResumeLimits } from './resume.ts';

const STOPPING = 'The server is stopping. Try again shortly.';
const PING_MS = 10_000;
/** Pages doubt a stream that was silent for 5 s: one that has nothing to say is pinged long before. */
const QUIET_PING_MS = 2000;
const LIMITS: DeliveryLimits = {
  ...{ waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 400 },
  // A phone at 4 KB a second makes progress; what is not there after two minutes is out of date.
  ...{ flightMs: 120_000, stuckMs: 15_000, flights: { all: 256, perAddress: 32 } },
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
  /** How often it pings, whether there is something to say or not. */
  pingMs?: number;
  /** How long it says nothing before it pings besides; `pingMs` when only that is given. */
  quietPingMs?: number;
  limits?: Partial<DeliveryLimits>;
  /** What is kept for those who come back; null where the greeting sees to them, by ids of the events' own. */
  resume?: ResumeLimits | null;
  /** Asked of every client before each ping: whether its stream is to end, because its session did. */
  isOver?(request: Request): boolean;
};

export type ChannelStats = BrokerStats & { seq: number; resumeBytes: number };

/** @typeParam Events the stream's events by name, with their data; `ping` besides is the channel's own. */
export type SseChannel<Events> = {
  /**
   * Answers a request for the stream; to HEAD only with the headers, with 429 when too many are open or
   * were opened, with 503 once it
   * is closed. A client that names the last event it got is given those since.
   * @param audience whose own events it gets besides those for everybody
   */
  open(request: Request, greeting?: Greeting, audience?: string | null): Response;
  /** Encodes and compresses an event once and gives it to every client. */
  send<Name extends keyof Events & string>(event: Name, data: Events[Name]): void;
  /**
   * Gives an event to the clients of an audience alone. It is not kept for those who come back.
   * @param id its own, by which a greeting knows where a client was; null leaves the client's last id standing
   */
  sendTo<Name extends keyof Events & string>(
    audience: string,
    event: Name,
    id: string | null,
    data: Events[Name],
  ): void;
  /** Whether an audience has clients. */
  hasAudience(audience: string): boolean;
  /** The number of the event sent last; 0 before the first. */
  seq(): number;
  /** The id by which a client resumes after an event. */
  idOf(seq: number): string;
  /** The events after that one, oldest first; null when one of them is not kept any more. */
  after(seq: number): Message[] | null;
  stats(): ChannelStats;
  /** Ends every stream; later ones are refused with 503. */
  close(): void;
};

const NOTHING_FIRST: Greeting = {
  opening: () => ({ messages: [], next: null }),
  refresh: () => ({ messages: [], next: null }),
};

/**
 * A stream of server-sent events to any number of clients: headers, gzip, pings, ids, and going on after a break. It
 * knows nothing of what the events mean.
 */
export function createSseChannel<Events>(deps: SseChannelDeps): SseChannel<Events> {
  const { clock, log, cutOff, clientAddress, streams, resume = RESUME, isOver } = deps;
  const ring = createResumeRing(deps.epoch ?? crypto.randomUUID().slice(0, 8), resume ?? RESUME);
  const nextMessage = createSequence();
  const openings = streams ? createOpeningLimit(clock, streams) : null;
  let seq = 0;
  let pings: ReturnType<typeof setInterval> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function busy(hasClients: boolean): void {
    clearInterval(pings);
    clearTimeout(quiet);
    pings = hasClients ? setInterval(ping, deps.pingMs ?? PING_MS) : undefined;
    if (hasClients) expectWord();
  }
  const broker = createBroker({ clock, log, cutOff, limits: { ...LIMITS, ...deps.limits }, busy });

  /** A failure to ask ends no stream, and not the process either: this runs in a timer. */
  function endThoseOver(): void {
    try {
      if (isOver) broker.endThose(isOver);
    } catch (error) {
      log.error('Streams could not be asked whether they are over; they are at the next ping', { error });
    }
  }

  function ping(): void {
    endThoseOver();
    const id = resume === null ? null : ring.idOf(seq);
    publish(nextMessage(toBytes(eventText('ping', id, { time: clock.now() }))));
  }

  /** Pings once nothing else was said for a while. */
  function expectWord(): void {
    clearTimeout(quiet);
    quiet = setTimeout(ping, deps.quietPingMs ?? deps.pingMs ?? QUIET_PING_MS);
  }

  function publish(message: Message): void {
    broker.publish(message);
    if (pings) expectWord();
  }

  return {
    open(request, greeting = NOTHING_FIRST, audience = null) {
      if (closed) return Response.json({ error: STOPPING }, { status: 503 });
      const kept = resume === null ? null : ring;
      return answerStream(request, {
        broker,
        ring: kept,
        greeting,
        audience,
        clientAddress,
        streams,
        openings,
      });
    },
    sendTo(audience, event, id, data) {
      if (broker.countOf(audience) > 0) broker.publishTo(audience, packEvent(event, id, data));
    },
    hasAudience: (audience) => broker.countOf(audience) > 0,
    send(event, data) {
      seq += 1;
      const message = nextMessage(toBytes(eventText(event, ring.idOf(seq), data)));
      ring.add(seq, message, clock.monotonic());
      publish(message);
    },
    seq: () => seq,
    idOf: ring.idOf,
    after: ring.after,
    stats: () => ({ ...broker.stats(), seq, resumeBytes: ring.bytes() }),
    close() {
      closed = true;
      broker.close();
    },
  };
}
