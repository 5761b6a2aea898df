import { acceptsGzip } from '../../lib/acceptEncoding.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { SystemClock } from '../../lib/clock.ts';
import { type Broker, type BrokerStats, createBroker } from './broker.ts';
import type { OpeningStep } from './client.ts';
import type { DeliveryDeps, DeliveryLimits } from './delivery.ts';
import { eventText, toBytes } from './event.ts';
import { createSequence, type Message } from './message.ts';
import { createResumeRing, type ResumeLimits, type ResumeRing } from './resume.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  vary: 'accept-encoding',
};

/** Streams that may be open at once: of all callers, and of one address (of IPv6 addresses the first 64 bits). */
export type StreamLimits = { all: number; perAddress: number };

const RETRY_AFTER_SECONDS = 30;
const TOO_MANY_OF_ADDRESS =
  'Too many live streams are open from your address. Close some windows, or try again in a minute.';
const TOO_MANY = 'The server has as many live streams open as it serves. Try again in a minute.';
const STOPPING = 'The server is stopping. Try again shortly.';
const PING_MS = 10_000;
/** Pages doubt a stream that was silent for 5 s: one that has nothing to say is pinged long before. */
const QUIET_PING_MS = 2000;
const LIMITS: DeliveryLimits = { waitingBytes: 1 << 20, fullMs: 60_000, openingMs: 400 };
const RESUME: ResumeLimits = { bytes: 4 << 20, ageMs: 120_000 };

export type SseChannelDeps = Omit<DeliveryDeps, 'limits'> & {
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
  limits?: DeliveryLimits;
  resume?: ResumeLimits;
};

/** What a client is given that can't just go on where it was; the same for all, as it is kept with each of them. */
export type Greeting = {
  /** For one that is new, or was away for longer than events are kept. */
  opening(request: Request): OpeningStep;
  /** For one that missed events because it read too slowly. */
  refresh(): readonly Message[];
};

export type ChannelStats = BrokerStats & { seq: number; resumeBytes: number };

/** @typeParam Events the stream's events by name, with their data; `ping` besides is the channel's own. */
export type SseChannel<Events> = {
  /**
   * Answers a request for the stream; to HEAD only with the headers, with 429 when too many are open, with 503 once it
   * is closed. A client that names the last event it got is given those since.
   */
  open(request: Request, greeting?: Greeting): Response;
  /** Encodes and compresses an event once and gives it to every client. */
  send<Name extends keyof Events & string>(event: Name, data: Events[Name]): void;
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

const NOTHING_FIRST: Greeting = { opening: () => ({ messages: [], next: null }), refresh: () => [] };

/** What a client that was here before has missed; null when it names nothing that is still kept. */
function missed(ring: ResumeRing, request: Request): Message[] | null {
  const id = request.headers.get('last-event-id') || new URL(request.url).searchParams.get('lastEventId');
  const last = id ? ring.read(id) : null;
  return last === null ? null : ring.after(last);
}

/** The events that the client missed, else the greeting. */
function openingOf(request: Request, ring: ResumeRing, greeting: Greeting): OpeningStep {
  const messages = missed(ring, request);
  return messages ? { messages, next: null } : greeting.opening(request);
}

/** Why there is no room for a stream of an address; null when there is. */
function refusalOf(broker: Broker, address: string | null, limits: StreamLimits | undefined): string | null {
  if (!limits) return null;
  if (address !== null && broker.count(address) >= limits.perAddress) return TOO_MANY_OF_ADDRESS;
  return broker.count(null) >= limits.all ? TOO_MANY : null;
}

type Answering = { broker: Broker; ring: ResumeRing } & Pick<SseChannelDeps, 'clientAddress' | 'streams'>;

function answer(request: Request, answering: Answering, greeting: Greeting): Response {
  const { broker, ring, clientAddress, streams } = answering;
  const gzip = acceptsGzip(request.headers.get('accept-encoding'));
  const headers = gzip ? { ...HEADERS, 'content-encoding': 'gzip' } : HEADERS;
  // A body, which nobody would read, is waited for to its end to learn its length.
  if (request.method === 'HEAD') return new Response(null, { headers });
  const from = clientAddress?.(request) ?? '';
  const address = from === '' ? null : addressKey(from);
  const error = refusalOf(broker, address, streams);
  if (error !== null) {
    const retry = { 'cache-control': 'no-store', 'retry-after': String(RETRY_AFTER_SECONDS) };
    return Response.json({ error }, { status: 429, headers: retry });
  }
  const opening = (): OpeningStep => openingOf(request, ring, greeting);
  return new Response(broker.open(request, { address, gzip, opening, refresh: greeting.refresh }), {
    headers,
  });
}

/**
 * A stream of server-sent events to any number of clients: headers, gzip, pings, ids, and going on after a break. It
 * knows nothing of what the events mean.
 */
export function createSseChannel<Events>(deps: SseChannelDeps): SseChannel<Events> {
  const { clock, log, cutOff, clientAddress, streams } = deps;
  const ring = createResumeRing(deps.epoch ?? crypto.randomUUID().slice(0, 8), deps.resume ?? RESUME);
  const nextMessage = createSequence();
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
  const broker = createBroker({ clock, log, cutOff, limits: deps.limits ?? LIMITS, busy });

  function ping(): void {
    publish(nextMessage(toBytes(eventText('ping', ring.idOf(seq), { time: clock.now() }))));
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
    open: (request, greeting = NOTHING_FIRST) =>
      closed
        ? Response.json({ error: STOPPING }, { status: 503 })
        : answer(request, { broker, ring, clientAddress, streams }, greeting),
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
