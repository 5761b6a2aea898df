import { REST, type RESTOptions } from '@discordjs/rest';
import { type HttpRequest, retryAfterMs } from '#lib/httpClient/client.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import { CallError, callPlatform, type PlatformAnswer } from '../chatClients/platformCall.ts';
import type { Stopwatch } from '#lib/clock.ts';

/** What Discord said of how often each address may be called. */
type Buckets = {
  /** Takes note of an answer's headers. @param path the address below the API's own, with its IDs */
  note(path: string, headers: Headers): void;
  /** Until this address may be called again, ms; 0 when it may be now. */
  waitMs(path: string): number;
};

/** Discord measures for itself; a little more keeps us behind its clock. */
const MARGIN_MS = 50;
/** Longer than any of Discord's buckets; more is nonsense. */
const MAX_RESET_MS = 3_600_000;
const MAX_PATHS = 10_000;

/**
 * Keeps Discord's buckets by the stopwatch: the library keeps them by the wall clock, and would hold messages for an hour
 * when that is set back by one.
 */
function createBuckets(clock: Stopwatch): Buckets {
  const resetAt = new Map<string, number>();
  return {
    note(path, headers) {
      resetAt.delete(path);
      const seconds = Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN);
      if (headers.get('x-ratelimit-remaining') !== '0' || !(seconds > 0)) return;
      if (resetAt.size >= MAX_PATHS) resetAt.clear();
      resetAt.set(path, clock.monotonic() + Math.min(seconds * 1000, MAX_RESET_MS) + MARGIN_MS);
    },
    waitMs: (path) => Math.max(0, (resetAt.get(path) ?? 0) - clock.monotonic()),
  };
}

export type Discord = {
  rest: REST;
  buckets: Buckets;
  token: string;
  /** Null until Discord has told. */
  botName: string | null;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Longer than our own limit, which comes first. */
const LIBRARY_TIMEOUT_MS = TIMEOUT_MS + 5000;

/** The form of what the library passes to its `fetch`. */
type Init = { method?: string; headers?: HeadersInit; body?: unknown; signal?: AbortSignal | null };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The path below the API's address and version. */
function pathOf(url: string, root: string): string {
  const [path = ''] = url.slice(root.length).split('?');
  return path.replace(/^\/v\d{1,3}/, '');
}

/** How a call is counted: IDs, and the tokens of interactions, are placeholders. */
const endpointOf = (path: string): string =>
  `discord${path
    .replace(/\/(interactions|webhooks)\/\d{1,20}\/[^/]{1,512}/, '/$1/:id/:token')
    .replaceAll(/\/\d{5,20}/g, '/:id')}`;

/** Calls whose waiting is the outbox's, so that it knows what was sent and what was not. */
const isOutboxCall = (method: string, path: string): boolean =>
  (method === 'POST' && /^\/channels\/\d{1,20}\/messages$|^\/users\/@me\/channels$/.test(path)) ||
  (method === 'GET' && path === '/users/@me');

/** What the headers say of the body is not true of one that was unpacked and written again. */
function headersFor({ headers, body }: PlatformAnswer): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'content-type'])
    copy.delete(name);
  // The library reads how long to wait out of the headers alone.
  if (isRecord(body) && typeof body['retry_after'] === 'number' && !copy.has('retry-after')) {
    copy.set('retry-after', String(body['retry_after']));
  }
  return copy;
}

/** What stands in the way of a call that was answered with 429, as an error. */
function limitError({ headers, body }: PlatformAnswer, now: number): CallError {
  const seconds = isRecord(body) ? body['retry_after'] : null;
  const isStated = typeof seconds === 'number' && seconds >= 0;
  const waitMs = isStated ? Math.ceil(seconds * 1000) : retryAfterMs(headers.get('retry-after'), now);
  const isGlobal =
    headers.has('x-ratelimit-global') ||
    headers.get('x-ratelimit-scope') === 'global' ||
    (isRecord(body) && body['global'] === true);
  // Without a word on how long, it was not Discord itself, and is meant for this machine.
  return new CallError('asked to wait', false, waitMs, isGlobal || waitMs === null ? 'platform' : 'chat');
}

/** The answer in the form that the library can read: it trips over errors that are no objects with a code. */
function discordResponse(answer: PlatformAnswer): Response {
  const { status, body } = answer;
  const headers = headersFor(answer);
  if (status === 204 || status === 429) return new Response(null, { status, headers });
  if (typeof body !== 'object' || body === null) {
    throw new CallError('sent an answer of an unknown form', status < 400);
  }
  const isReadable = status < 400 || (isRecord(body) && typeof body['code'] === 'number');
  return Response.json(isReadable ? body : { code: 0, message: 'no reason given' }, { status, headers });
}

/** The one `fetch` of the library: counted, limited, and its errors hold no address. */
function discordFetch({ http, clock }: App, root: string, buckets: Buckets) {
  return async (url: string, { method, headers, body, signal }: Init): Promise<Response> => {
    const known = METHODS.find((name) => name === method?.toUpperCase()) ?? 'GET';
    const path = pathOf(url, root);
    const request: HttpRequest = {
      method: known,
      url,
      endpoint: endpointOf(path),
      headers: Object.fromEntries(new Headers(headers)),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    };
    const answer = await callPlatform(http, request);
    if (!isOutboxCall(known, path)) return discordResponse(answer);
    buckets.note(path, answer.headers);
    if (answer.status === 429) throw limitError(answer, clock.now());
    // Without these the library holds nothing back.
    const open = [...answer.headers].filter(([name]) => !name.startsWith('x-ratelimit-'));
    return discordResponse({ ...answer, headers: new Headers(open) });
  };
}

/** Forgetting the token at the first 401, as the library does, would end every later call. */
class TokenKeepingRest extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/**
 * The one connection to Discord's HTTP API, for sending and receiving; making it calls nobody. Calls fail with
 * `DiscordAPIError` when Discord refused, else with `CallError`; nothing is tried twice by itself. Of messages the
 * limits are kept in `buckets`, of everything else by the library, which waits.
 * @returns null without a token
 */
export function createDiscord(app: App): Discord | null {
  const { token, url } = app.config.discord;
  if (token === null) return null;
  const buckets = createBuckets(app.clock);
  const rest = new TokenKeepingRest({
    version: '10',
    api: url,
    retries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
    // The outbox keeps its own pace, by a clock that is never set.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    // Its types are those of undici, which is not what runs; what it hands over and reads is the part above.
    makeRequest: discordFetch(app, url, buckets) as unknown as RESTOptions['makeRequest'],
  });
  return { rest: rest.setToken(token), buckets, token, botName: null };
}
