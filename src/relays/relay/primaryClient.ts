import { errorCode } from '#lib/errors.ts';
import { refusalResponse } from '#platform/http/errors.ts';
import { RELAY_HEADER, relayToken } from '#platform/http/keyChecks.ts';
import { alertOpening, sessionsAnswer } from '#subjects/relays/contract.ts';

export type Caller = {
  address: string;
  isHttps: boolean;
};

/** Headers of one connection (RFC 9110, 7.6.1), and those that the relay sets itself. */
const OWN_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  RELAY_HEADER,
];

export function passedOn(given: Headers): Headers {
  const headers = new Headers(given);
  const named = (given.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...OWN_HEADERS, ...named]) {
    if (/^[\w-]{1,80}$/.test(name)) headers.delete(name);
  }
  return headers;
}

const INTERNAL_MS = 5000;

export type AlertOpening = NonNullable<ReturnType<typeof alertOpening.read>>;

export class PrimaryClient {
  readonly #tokens: { passedOn: string; asked: string };

  constructor(
    private readonly url: string,
    secret: string,
  ) {
    this.#tokens = { passedOn: relayToken(secret), asked: relayToken(secret, 'asked') };
  }

  /**
   * Forwards a request to the primary, or sends the relay's own.
   * @param path with the query
   * @param caller null for the relay's own requests, which may use the addresses for relays
   * @throws if the primary can't be reached, or `signal` aborts
   */
  async ask(
    path: string,
    init: BunFetchRequestInit & { headers: Headers },
    caller: Caller | null,
  ): Promise<Response> {
    const { headers } = init;
    if (caller && caller.address !== '') headers.set('x-forwarded-for', caller.address);
    if (caller) headers.set('x-forwarded-proto', caller.isHttps ? 'https' : 'http');
    headers.set(RELAY_HEADER, caller ? this.#tokens.passedOn : this.#tokens.asked);
    // Otherwise fetch would add its own user agent.
    if (!headers.has('user-agent')) headers.set('user-agent', '');
    // Otherwise fetch would accept every encoding that it can decode.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    return fetch(`${this.url}${path}`, { redirect: 'manual', decompress: false, timeout: false, ...init });
  }

  /**
   * Asks who an alert stream is for.
   * @returns the refusal to forward
   * @throws if the primary can't be reached or its answer is invalid
   */
  async alertOpening(asked: { token: string; lastEventId: string | null }): Promise<AlertOpening | Response> {
    const response = await this.#post('/api/relays/alert-opening', asked);
    if (!response.ok)
      return new Response(await response.arrayBuffer(), {
        status: response.status,
        headers: passedOn(response.headers),
      });
    const opening = alertOpening.read(await response.json());
    if (!opening) throw new Error('The primary did not send the start of the alert stream');
    return opening;
  }

  /** Asks which login sessions are still valid. @throws if there is no valid answer */
  async goodSessions(tokens: readonly string[]): Promise<readonly boolean[]> {
    const response = await this.#post('/api/relays/sessions', { tokens });
    const { good } = sessionsAnswer.read(response.ok ? await response.json() : null) ?? { good: [] };
    if (good.length !== tokens.length) throw new Error('The primary did not report which sessions are valid');
    return good;
  }

  #post(path: string, body: unknown): Promise<Response> {
    const headers = new Headers({ 'content-type': 'application/json' });
    const signal = AbortSignal.timeout(INTERNAL_MS);
    return this.ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal }, null);
  }
}

const RETRY_AFTER = { 'retry-after': '3' };
const NO_READING = 'The main server cannot be reached at the moment. Try again shortly.';
const NOTHING_DONE =
  'The main server cannot be reached at the moment. Nothing was changed. Try again shortly.';
const NOT_KNOWN =
  'The connection to the main server broke off, so your change may or may not have been made. Check before you try again.';

const BEFORE_SENT = new Set([
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'DNSLookupFailed',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

export function unreachable(request: Request, error: unknown): Response {
  if (isReading(request)) return refusalResponse(503, NO_READING, { headers: RETRY_AFTER });
  return BEFORE_SENT.has(errorCode(error))
    ? refusalResponse(503, NOTHING_DONE, { headers: RETRY_AFTER })
    : refusalResponse(502, NOT_KNOWN);
}

export const handedOn = (response: Response): Response =>
  new Response(response.body, {
    status: response.status,
    statusText: response.statusText,
    headers: passedOn(response.headers),
  });

export function pathOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Sends the request. A GET is repeated if a kept connection was closed, because it changes nothing. */
async function ask(primary: PrimaryClient, request: Request, caller: Caller): Promise<Response> {
  const { method, signal, body } = request;
  const headers = passedOn(request.headers);
  if (!isReading(request)) {
    // Uses a new connection, because fetch would repeat the request if a kept one is closed.
    return primary.ask(pathOf(request), { method, headers, signal, body, keepalive: false }, caller);
  }
  try {
    return await primary.ask(pathOf(request), { method, headers, signal }, caller);
  } catch (error) {
    if (signal.aborted || BEFORE_SENT.has(errorCode(error))) throw error;
    return primary.ask(pathOf(request), { method, headers, signal }, caller);
  }
}

/** Whether the primary answered before it read the whole body; the rest would never be read. */
const isCutShort = (request: Request, { headers }: Response): boolean =>
  !isReading(request) && (headers.get('connection') ?? '').toLowerCase() === 'close';

export async function passOn(primary: PrimaryClient, request: Request, caller: Caller): Promise<Response> {
  try {
    const response = await ask(primary, request, caller);
    const answer = handedOn(response);
    if (isCutShort(request, response)) answer.headers.set('connection', 'close');
    return answer;
  } catch (error) {
    return unreachable(request, error);
  }
}
