import { isIP } from 'node:net';
import { readBytes } from '../http.ts';
import type { SystemClock } from '../clock.ts';
import { type JsonProblem, parseJson } from '../json.ts';
import { type Scheduler, timerScheduler } from '../scheduler.ts';
import { ENCODINGS, unpacked } from '../compression.ts';

type Answered = { status: number; headers: Headers };

export type HttpFailure =
  /** A status other than 2xx, redirects included. `text` is the body, '' if it is too large. */
  | (Answered & { kind: 'httpError'; retryAfterMs: number | null; text: string })
  | (Answered & { kind: 'tooLarge'; maxBytes: number })
  | { kind: 'timeout'; afterMs: number }
  /** `code` names the cause (ECONNREFUSED), null if unknown. */
  | { kind: 'network'; code: string | null }
  | { kind: 'aborted' };

export type BytesOutcome = (Answered & { kind: 'ok'; body: Uint8Array<ArrayBuffer> }) | HttpFailure;

export type TextOutcome = (Answered & { kind: 'ok'; body: string }) | HttpFailure;

export type JsonOutcome =
  | (Answered & { kind: 'ok'; body: unknown })
  | (Answered & { kind: 'notJson'; problem: JsonProblem })
  | HttpFailure;

/** A status other than 2xx, completing "<name> …". */
export function statusText(status: number): string {
  if (status === 429) return 'asks to slow down (HTTP 429)';
  if (status === 401 || status === 403) return `refuses the request (HTTP ${status})`;
  if (status >= 300 && status < 400) return `redirects elsewhere (HTTP ${status})`;
  return `answered HTTP ${status}`;
}

/**
 * The failure, completing "<name> …"; it contains neither address nor header.
 * @param describeStatus for a provider with its own meaning of a status
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
 * @param header null if absent
 * @param now epoch ms
 * @returns ms from now, at least 0; null if absent or unreadable
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.round(Number(text) * 1000);
  if (!/[a-z]/i.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  endpoint: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  timeoutMs: number;
  maxBytes: number;
  signal?: AbortSignal;
  /** Receives a success in chunks, for bodies too large for memory. Compression is then off. */
  onChunk?: (chunk: Uint8Array) => void;
};

/** A finished call, for the counter of external endpoints. It contains neither address, header nor body. */
export type HttpCall = Pick<HttpRequest, 'method' | 'endpoint'> & {
  outcome: JsonOutcome['kind'];
  status: number | null;
  durationMs: number;
};

type HttpInit = Pick<HttpRequest, 'method' | 'body'> & {
  headers: Record<string, string>;
  redirect: 'manual';
  decompress: false;
  signal: AbortSignal;
};

export type Fetch = (url: string, init: HttpInit) => Promise<Response>;

export type HttpClient = {
  bytes(request: HttpRequest): Promise<BytesOutcome>;
  text(request: HttpRequest): Promise<TextOutcome>;
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

/** The code of a failed connection, not its text, which may contain a header such as a cookie or token. */
function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : null;
}

/**
 * A body within its limit, packed and unpacked; null if there is more. The runtime's own unpacking has no
 * limit and can expand a body a thousand times.
 */
async function readBody({ body, headers }: Response, maxBytes: number) {
  const bytes = await readBytes(body, maxBytes);
  return bytes && unpacked(bytes, headers.get('content-encoding'), maxBytes);
}

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
 * Every call has limits. Redirects are not followed, so headers reach only the intended server. Only http and
 * https are allowed, because the runtime's `fetch` also reads `file:`, `data:` and `s3:`.
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
 * The only way to call other servers. Every call has a time and a size limit, and returns failures as values
 * without secrets. Callers decide about retries: see `backoff` and `PollLoop`.
 * @param options.onCall called after every call
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
  notify: CallListener;
  listen(listener: CallListener): void;
};

/** Connects the HTTP client to listeners that are created later, because the market source needs it first. */
export function createCallFeed(): CallFeed {
  const listeners: CallListener[] = [];
  return {
    notify: (call) => {
      for (const listener of listeners) listener(call);
    },
    listen: (listener) => void listeners.push(listener),
  };
}

const OWN_NAMES = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Exempts this machine from `HTTP_PROXY`. Otherwise a proxy on another machine would connect to itself
 * instead of to services on this one.
 * @param env changed in place: `fetch` reads the exceptions from the process environment
 */
export function exemptOwnMachine(env: Record<string, string | undefined>): void {
  const host = env['BELLBIRD_HOST']?.trim() ?? '';
  const exempt = [env['no_proxy'] ?? env['NO_PROXY'], ...OWN_NAMES, isIP(host) === 6 ? `[${host}]` : host];
  // The lower-case name has precedence in libraries and child processes.
  for (const name of ['NO_PROXY', 'no_proxy']) env[name] = exempt.filter(Boolean).join(',');
}
