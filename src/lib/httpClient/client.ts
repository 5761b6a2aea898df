import { isIP } from 'node:net';
import { readBytes } from '../boundedBody.ts';
import type { SystemClock } from '../clock.ts';
import { type JsonProblem, parseJson } from '../json.ts';
import { type Scheduler, timerScheduler } from '../scheduler.ts';
import { ENCODINGS, unpacked } from '../compression.ts';

type Answered = { status: number; headers: Headers };

/** What may go wrong with any call to somebody else's server; expected, so it is a value and no exception. */
export type HttpFailure =
  /** Another status than 2xx, redirects included. `text` is the body, '' when there is too much of it. */
  | (Answered & { kind: 'httpError'; retryAfterMs: number | null; text: string })
  | (Answered & { kind: 'tooLarge'; maxBytes: number })
  | { kind: 'timeout'; afterMs: number }
  /** `code` names what broke the connection (ECONNREFUSED), null when nothing does. */
  | { kind: 'network'; code: string | null }
  /** The caller gave up. */
  | { kind: 'aborted' };

export type BytesOutcome = (Answered & { kind: 'ok'; body: Uint8Array<ArrayBuffer> }) | HttpFailure;

export type TextOutcome = (Answered & { kind: 'ok'; body: string }) | HttpFailure;

/** The body is parsed but not checked: its shape is the caller's to look at. */
export type JsonOutcome =
  | (Answered & { kind: 'ok'; body: unknown })
  | (Answered & { kind: 'notJson'; problem: JsonProblem })
  | HttpFailure;

/** What a status other than 2xx means, completing "<name> …". */
export function statusText(status: number): string {
  if (status === 429) return 'asks to slow down (HTTP 429)';
  if (status === 401 || status === 403) return `refuses the request (HTTP ${status})`;
  if (status >= 300 && status < 400) return `redirects elsewhere (HTTP ${status})`;
  return `answered HTTP ${status}`;
}

/**
 * Why a call has no usable answer, completing "<name> …"; it holds neither address nor header.
 * @param describeStatus for a provider whose refusals mean something particular
 */
export function failureText(failure: HttpFailure, describeStatus = statusText): string {
  switch (failure.kind) {
    case 'httpError':
      return describeStatus(failure.status);
    case 'timeout':
      return `did not answer within ${Math.round(failure.afterMs / 100) / 10} seconds`;
    case 'tooLarge':
      return `sent an answer larger than ${failure.maxBytes / 1024 / 1024} MB`;
    case 'network':
      return failure.code === null ? 'could not be reached' : `could not be reached (${failure.code})`;
    case 'aborted':
      return 'could not be reached';
  }
}

/**
 * Reads a Retry-After header: seconds, or an HTTP date.
 * @param header the header's text, null when absent
 * @param now epoch ms
 * @returns ms from now, at least 0; null when absent or unreadable
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
  // A bare number that is no count of seconds would be read as a year.
  if (!/[a-z]/i.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** How the call is counted and logged: the address with placeholders for whatever is secret or differs. */
  endpoint: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** Until the body's last byte. */
  timeoutMs: number;
  /** Most bytes of the body, after decompression. */
  maxBytes: number;
  /** Ends the call early. */
  signal?: AbortSignal;
  /**
   * Takes the body of a success piece by piece, and none of it is kept: for what is too large for the memory. It is not
   * packed then.
   */
  onChunk?: (chunk: Uint8Array) => void;
};

/** A call that is over, for the counter of external endpoints. It holds neither address, header nor body. */
export type HttpCall = Pick<HttpRequest, 'method' | 'endpoint'> & {
  outcome: JsonOutcome['kind'];
  /** Null when no answer came. */
  status: number | null;
  durationMs: number;
};

type HttpInit = Pick<HttpRequest, 'method' | 'body'> & {
  headers: Record<string, string>;
  redirect: 'manual';
  decompress: false;
  signal: AbortSignal;
};

/** The part of `fetch` that is used; tests pass their own. */
export type Fetch = (url: string, init: HttpInit) => Promise<Response>;

export type HttpClient = {
  /** Makes one call and reads its body; never rejects. */
  bytes(request: HttpRequest): Promise<BytesOutcome>;
  /** As `bytes`, decoded as UTF-8. */
  text(request: HttpRequest): Promise<TextOutcome>;
  /** As `text`, and parses the body. */
  json(request: HttpRequest): Promise<JsonOutcome>;
};

type HttpClientOptions = {
  clock: SystemClock;
  fetch?: Fetch;
  schedule?: Scheduler;
  onCall?: (call: HttpCall) => void;
};

type Edges = Required<Pick<HttpClientOptions, 'clock' | 'fetch' | 'schedule'>>;

const MAX_ERROR_BYTES = 64 * 1024;

/** The code of a failed connection only: an error's own text may repeat a header, and a cookie or token is one. */
function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : null;
}

/**
 * A body within its limit, packed and unpacked; null when there is more. The runtime's own unpacking knows no limit: what
 * has arrived is unpacked as a whole, a thousand times its size.
 */
async function readBody({ body, headers }: Response, maxBytes: number) {
  const bytes = await readBytes(body, maxBytes);
  return bytes && unpacked(bytes, headers.get('content-encoding'), maxBytes);
}

/** As `readBody`, for a body that its taker keeps: an empty one is given back. */
async function passBody({ body, headers }: Response, { maxBytes, onChunk }: Passing) {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    throw Object.assign(new Error('packed unasked'), { code: 'UNKNOWN_ENCODING' });
  }
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    onChunk(chunk);
  }
  return new Uint8Array();
}

type Passing = Pick<HttpRequest, 'maxBytes'> & { onChunk(chunk: Uint8Array): void };

async function readAnswer(
  response: Response,
  { maxBytes, onChunk }: Pick<HttpRequest, 'maxBytes' | 'onChunk'>,
  now: number,
): Promise<BytesOutcome> {
  const { status, headers } = response;
  if (!response.ok) {
    const text = new TextDecoder().decode((await readBody(response, MAX_ERROR_BYTES)) ?? undefined);
    return {
      kind: 'httpError',
      status,
      headers,
      retryAfterMs: retryAfterMs(headers.get('retry-after'), now),
      text,
    };
  }
  const body = await (onChunk ? passBody(response, { maxBytes, onChunk }) : readBody(response, maxBytes));
  return body === null
    ? { kind: 'tooLarge', status, headers, maxBytes }
    : { kind: 'ok', status, headers, body };
}

const decoded = (outcome: BytesOutcome): TextOutcome =>
  outcome.kind === 'ok' ? { ...outcome, body: new TextDecoder().decode(outcome.body) } : outcome;

function parsed(outcome: TextOutcome): JsonOutcome {
  if (outcome.kind !== 'ok') return outcome;
  const { status, headers } = outcome;
  const body = parseJson(outcome.body);
  return body.ok
    ? { kind: 'ok', status, headers, body: body.value }
    : { kind: 'notJson', status, headers, problem: body.error };
}

/**
 * Calls without end nor limits are not offered, and redirects are not followed: headers go where they were meant to. The
 * runtime would read files of this machine and more besides (`file:`, `data:`, `s3:`), so only the web's own addresses are.
 */
async function call(options: Edges, request: HttpRequest): Promise<BytesOutcome> {
  const { method, url, headers = {}, body, timeoutMs, signal: stop } = request;
  if (!/^https?:/i.test(url)) return { kind: 'network', code: 'UNSUPPORTED_PROTOCOL' };
  const limit = new AbortController();
  const cancel = options.schedule(timeoutMs, () => limit.abort());
  const signal = stop ? AbortSignal.any([stop, limit.signal]) : limit.signal;
  try {
    const init = {
      method,
      headers: { 'accept-encoding': request.onChunk ? 'identity' : ENCODINGS, ...headers },
      redirect: 'manual',
      decompress: false,
      signal,
      ...(body !== undefined && { body }),
    } as const;
    const response = await options.fetch(url, init);
    return await readAnswer(response, request, options.clock.now());
  } catch (error) {
    if (stop?.aborted) return { kind: 'aborted' };
    if (limit.signal.aborted) return { kind: 'timeout', afterMs: timeoutMs };
    return { kind: 'network', code: codeOf(error) };
  } finally {
    cancel();
  }
}

/**
 * The one way out to other servers: every call has a time limit and a size limit, what goes wrong is a value, and
 * nothing of it holds a secret. When to try again is the caller's: see `backoff` and `PollLoop`.
 * @param options.onCall told of every call once it is over
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { clock, onCall = () => undefined } = options;
  const all = { clock, fetch: options.fetch ?? fetch, schedule: options.schedule ?? timerScheduler };
  const counted = async <T extends BytesOutcome | JsonOutcome>(
    request: HttpRequest,
    read: () => Promise<T>,
  ): Promise<T> => {
    const started = clock.monotonic();
    const outcome = await read();
    const { method, endpoint } = request;
    const status = 'status' in outcome ? outcome.status : null;
    onCall({ method, endpoint, outcome: outcome.kind, status, durationMs: clock.monotonic() - started });
    return outcome;
  };
  return {
    bytes: (request) => counted(request, () => call(all, request)),
    text: (request) => counted(request, async () => decoded(await call(all, request))),
    json: (request) => counted(request, async () => parsed(decoded(await call(all, request)))),
  };
}

type CallListener = (call: HttpCall) => void;

export type CallFeed = {
  /** For the client's `onCall`. */
  tell: CallListener;
  /** Adds a listener, told of every call that ends from now on. */
  listen(listener: CallListener): void;
};

/**
 * Takes the calls of a client to anyone who counts them: the client is made before the parts are, because a market source is
 * made with it.
 */
export function createCallFeed(): CallFeed {
  const listeners: CallListener[] = [];
  return {
    tell: (call) => {
      for (const listener of listeners) listener(call);
    },
    listen: (listener) => void listeners.push(listener),
  };
}

/** This machine, as addresses and lists of exceptions name it. */
const OWN_NAMES = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Exempts this machine from `HTTP_PROXY`. `check`, updates and a model on this machine connect to it, and a proxy on another
 * machine would connect to itself instead.
 *
 * @param env changed in place: `fetch` reads the list of exceptions from the process environment
 */
export function exemptOwnMachine(env: Record<string, string | undefined>): void {
  const host = env['BELLBIRD_HOST']?.trim() ?? '';
  const exempt = [env['no_proxy'] ?? env['NO_PROXY'], ...OWN_NAMES, isIP(host) === 6 ? `[${host}]` : host];
  // The lower-case name has precedence, in libraries as in the programs that this process starts.
  for (const name of ['NO_PROXY', 'no_proxy']) env[name] = exempt.filter(Boolean).join(',');
}
