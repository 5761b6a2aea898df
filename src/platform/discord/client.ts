import { REST, type RESTOptions } from '@discordjs/rest';
import { type HttpRequest, retryAfterMs } from '#lib/httpClient/client.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import { CallError, callPlatform, type PlatformAnswer } from '../chatClients/platformCall.ts';
import type { Stopwatch } from '#lib/clock.ts';

type Buckets = {
  /** Notes the rate limit in an answer's headers. @param path below the API's own address, with its IDs */
  note(path: string, headers: Headers): void;
  waitMs(path: string): number;
};

const MARGIN_MS = 50;
const MAX_RESET_MS = 3_600_000;
const MAX_PATHS = 10_000;

/**
 * Keeps Discord's buckets by the stopwatch. The library uses the wall clock and would delay messages for an hour
 * if that is set back by one.
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
  botName: string | null;
};

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Longer than our own limit, so that ours applies first. */
const LIBRARY_TIMEOUT_MS = TIMEOUT_MS + 5000;

type Init = { method?: string; headers?: HeadersInit; body?: unknown; signal?: AbortSignal | null };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function pathOf(url: string, root: string): string {
  const [path = ''] = url.slice(root.length).split('?');
  return path.replace(/^\/v\d{1,3}/, '');
}

/** The name under which a call is counted: IDs and tokens of interactions become placeholders. */
const endpointOf = (path: string): string =>
  `discord${path
    .replace(/\/(interactions|webhooks)\/\d{1,20}\/[^/]{1,512}/, '/$1/:id/:token')
    .replaceAll(/\/\d{5,20}/g, '/:id')}`;

/** Calls whose rate limits the outbox handles, because it must know which messages were sent. */
const isOutboxCall = (method: string, path: string): boolean =>
  (method === 'POST' && /^\/channels\/\d{1,20}\/messages$|^\/users\/@me\/channels$/.test(path)) ||
  (method === 'GET' && path === '/users/@me');

function headersFor({ headers, body }: PlatformAnswer): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'content-type'])
    copy.delete(name);
  // The library reads the delay only from the headers.
  if (isRecord(body) && typeof body['retry_after'] === 'number' && !copy.has('retry-after')) {
    copy.set('retry-after', String(body['retry_after']));
  }
  return copy;
}

function limitError({ headers, body }: PlatformAnswer, now: number): CallError {
  const seconds = isRecord(body) ? body['retry_after'] : null;
  const isStated = typeof seconds === 'number' && seconds >= 0;
  const waitMs = isStated ? Math.ceil(seconds * 1000) : retryAfterMs(headers.get('retry-after'), now);
  const isGlobal =
    headers.has('x-ratelimit-global') ||
    headers.get('x-ratelimit-scope') === 'global' ||
    (isRecord(body) && body['global'] === true);
  // An answer without a delay is not from Discord itself, and applies to this machine.
  return new CallError('asked to wait', false, waitMs, isGlobal || waitMs === null ? 'platform' : 'chat');
}

/** Converts the answer, because the library fails at errors that are not objects with a code. */
function discordResponse(answer: PlatformAnswer): Response {
  const { status, body } = answer;
  const headers = headersFor(answer);
  if (status === 204 || status === 429) return new Response(null, { status, headers });
  if (typeof body !== 'object' || body === null) {
    throw new CallError('sent an answer in an unknown format', status < 400);
  }
  const isReadable = status < 400 || (isRecord(body) && typeof body['code'] === 'number');
  return Response.json(isReadable ? body : { code: 0, message: 'no reason given' }, { status, headers });
}

/** The `fetch` of the library: counted, limited, with errors that contain no address. */
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
    // Without these headers the library delays nothing.
    const open = [...answer.headers].filter(([name]) => !name.startsWith('x-ratelimit-'));
    return discordResponse({ ...answer, headers: new Headers(open) });
  };
}

/** The library forgets the token at the first 401, which would end every later call. */
class TokenKeepingRest extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/**
 * The one connection to Discord's HTTP API. Making it sends nothing. Calls fail with `DiscordAPIError` if Discord
 * refused, otherwise with `CallError`, and are not repeated. `buckets` holds the limits of messages; for other
 * calls the library waits.
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
    // The outbox keeps its own pace, by the stopwatch.
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    // The declared types are those of undici, which is not used here.
    makeRequest: discordFetch(app, url, buckets) as unknown as RESTOptions['makeRequest'],
  });
  return { rest: rest.setToken(token), buckets, token, botName: null };
}
