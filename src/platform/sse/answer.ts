import { acceptsGzip } from '#lib/http.ts';
import { addressKey } from '#lib/addresses.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import type { Broker } from './broker.ts';
import type { OpeningStep } from './client.ts';
import type { Message } from './message.ts';
import type { ReplayBuffer } from './replayBuffer.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  vary: 'accept-encoding',
};

/** Open streams: of all callers, of one address (of IPv6 addresses the first 64 bits), and of one audience. */
export type StreamLimits = { all: number; perAddress: number; perAudience?: number };

const RETRY_AFTER_SECONDS = 30;
const TOO_MANY_OF_ADDRESS =
  'Too many live streams are open from your address. Close some windows, or try again in a minute.';
const TOO_MANY_OF_AUDIENCE =
  'Too many live streams are open for your account. Close some windows, or try again in a minute.';
/** The minimum of openings per minute from one address, enough for an office to reconnect twice after a restart. */
const MIN_OPENINGS_A_MINUTE = 400;

const OPENED_TOO_OFTEN = 'Too many live streams were opened from your address within a minute.';
const TOO_MANY = 'The server has reached its maximum number of live streams. Try again in a minute.';

/** Counts the openings of each address. @returns 0, or how many seconds to wait */
export type OpeningLimit = (address: string) => number;

export function createOpeningLimit(clock: Stopwatch, { perAddress }: StreamLimits): OpeningLimit {
  const limit = Math.max(MIN_OPENINGS_A_MINUTE, 2 * perAddress);
  return createRateLimit({ clock, limit, windowMs: 60_000 }).take;
}

/** The first messages for a client that can't resume. Shared, because it is kept with each client. */
export type Greeting = {
  /** For a client that is new, or was away for too long. */
  opening(request: Request): OpeningStep;
  /** For a client that missed events because it read too slowly. */
  refresh(): OpeningStep;
};

/** The id of the last received event, from the header or the query; null if there is none. */
export const lastEventId = (request: Request): string | null =>
  request.headers.get('last-event-id') || new URL(request.url).searchParams.get('lastEventId') || null;

/** The events that a returning client missed; null if its id is not kept. */
function missed(replayBuffer: ReplayBuffer, request: Request): Message[] | null {
  const id = lastEventId(request);
  const last = id ? replayBuffer.read(id) : null;
  return last === null ? null : replayBuffer.after(last);
}

function openingOf(request: Request, replayBuffer: ReplayBuffer | null, greeting: Greeting): OpeningStep {
  const messages = replayBuffer && missed(replayBuffer, request);
  return messages ? { messages, next: null } : greeting.opening(request);
}

type Caller = { address: string | null; audience: string | null };

function refusalOf(
  { broker, streams: limits, elsewhere = () => 0 }: Pick<Answering, 'broker' | 'streams' | 'elsewhere'>,
  { address, audience }: Caller,
): string | null {
  if (!limits) return null;
  const count = (of: string | null): number => broker.count(of) + elsewhere(of);
  if (address !== null && count(address) >= limits.perAddress) return TOO_MANY_OF_ADDRESS;
  const { perAudience = Number.POSITIVE_INFINITY } = limits;
  if (audience !== null && broker.countOf(audience) >= perAudience) return TOO_MANY_OF_AUDIENCE;
  return count(null) >= limits.all ? TOO_MANY : null;
}

type Answering = {
  broker: Broker;
  replayBuffer: ReplayBuffer | null;
  greeting: Greeting;
  audience: string | null;
  clientAddress?: ((request: Request) => string) | undefined;
  streams?: StreamLimits | undefined;
  elsewhere?: ((address: string | null) => number) | undefined;
  openings?: OpeningLimit | null;
};

function refuse(error: string, seconds = RETRY_AFTER_SECONDS): Response {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(seconds) };
  // 429: this caller has too many. 503: the server is full.
  return Response.json({ error }, { status: error === TOO_MANY ? 503 : 429, headers });
}

/** Opens a stream, or refuses it. Answers HEAD with only the headers. */
export function answerStream(request: Request, answering: Answering): Response {
  const { broker, replayBuffer, greeting, audience, clientAddress, openings } = answering;
  const gzip = acceptsGzip(request.headers.get('accept-encoding'));
  const headers = gzip ? { ...HEADERS, 'content-encoding': 'gzip' } : HEADERS;
  // With a body, the server would read it to its end to learn its length.
  if (request.method === 'HEAD') return new Response(null, { headers });
  const from = clientAddress?.(request) ?? '';
  const address = from === '' ? null : addressKey(from);
  const error = refusalOf(answering, { address, audience });
  if (error !== null) return refuse(error);
  const seconds = address === null ? 0 : (openings?.(address) ?? 0);
  if (seconds > 0) return refuse(`${OPENED_TOO_OFTEN} Try again in ${waitText(seconds)}.`, seconds);
  const opening = (): OpeningStep => openingOf(request, replayBuffer, greeting);
  const { refresh } = greeting;
  return new Response(broker.open(request, { address, audience, gzip, opening, refresh }), { headers });
}
