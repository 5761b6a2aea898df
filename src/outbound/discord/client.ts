import { type RateLimitData, REST, type RESTOptions } from '@discordjs/rest';
import type { HttpClient, HttpRequest } from '../../lib/httpClient/client.ts';
import { isRecord } from '../../lib/json.ts';
import type { Core } from '../../part.ts';
import { CallError, callPlatform, type PlatformAnswer } from '../platformCall.ts';

export type Discord = { rest: REST };

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** Longer than our own limit, which comes first. */
const LIBRARY_TIMEOUT_MS = TIMEOUT_MS + 5000;

/** The form of what the library passes to its `fetch`. */
type Init = { method?: string; headers?: HeadersInit; body?: unknown; signal?: AbortSignal | null };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The path below the API's address with placeholders: IDs, and the tokens of interactions. */
function endpointOf(url: string, root: string): string {
  const path = url.slice(root.length).split('?')[0] ?? '';
  return `discord${path
    .replace(/^\/v\d+/, '')
    .replace(/\/(interactions|webhooks)\/\d+\/[^/]+/, '/$1/:id/:token')
    .replaceAll(/\/\d{5,}/g, '/:id')}`;
}

/** What the headers say of the body is not true of one that was unpacked and written anew. */
function headersFor({ headers, body }: PlatformAnswer): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'content-type'])
    copy.delete(name);
  if (!isRecord(body)) return copy;
  // The library reads how long to wait out of the headers alone.
  if (typeof body['retry_after'] === 'number' && !copy.has('retry-after')) {
    copy.set('retry-after', String(body['retry_after']));
  }
  if (body['global'] === true && !copy.has('x-ratelimit-global')) copy.set('x-ratelimit-global', 'true');
  return copy;
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
function discordFetch(http: HttpClient, root: string) {
  return async (url: string, { method, headers, body, signal }: Init): Promise<Response> => {
    const known = METHODS.find((name) => name === method?.toUpperCase()) ?? 'GET';
    const request: HttpRequest = {
      method: known,
      url,
      endpoint: endpointOf(url, root),
      headers: Object.fromEntries(new Headers(headers)),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    };
    return discordResponse(await callPlatform(http, request));
  };
}

/** Forgetting the token at the first 401, as the library does, would end every later call. */
class TokenKeepingRest extends REST {
  override setToken(token: string | null): this {
    return token === null ? this : super.setToken(token);
  }
}

/** Calls whose waiting is the outbox's: it must know that they were not made. */
const isOutboxCall = ({ method, route }: RateLimitData): boolean =>
  method.toUpperCase() === 'POST' && (route === '/channels/:id/messages' || route === '/users/@me/channels');

/**
 * The one connection to Discord's HTTP API, for sending and receiving; making it calls nobody. Calls fail with
 * `DiscordAPIError` when Discord refused, with `RateLimitError` when a message has to wait, else with `CallError`;
 * nothing is tried twice by itself.
 * @returns null without a token
 */
export function createDiscord({ config, http }: Pick<Core, 'config' | 'http'>): Discord | null {
  const { token, url } = config.discord;
  if (token === null) return null;
  const rest = new TokenKeepingRest({
    version: '10',
    api: url,
    retries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
    rejectOnRateLimit: isOutboxCall,
    // Its types are those of undici, which is not what runs; what it hands over and reads is the part above.
    makeRequest: discordFetch(http, url) as unknown as RESTOptions['makeRequest'],
  });
  return { rest: rest.setToken(token) };
}
