import { hostname } from 'node:os';
import type { Stopwatch, SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { isNotModified } from '#lib/http.ts';
import type { Assets } from '#platform/http/assets.ts';
import { type ConnectionTable, createConnections } from '#platform/http/connections.ts';
import { refusalResponse } from '#platform/http/errors.ts';
import { type Handlers, listen } from '#platform/http/listen.ts';
import { TOKEN_HEADER } from '#platform/http/rules/accessLevel.ts';
import type { About } from '#platform/install/about.ts';
import type { Config } from '#src/config/config.ts';
import { createRedis } from '../redis/redis.ts';
import type { Redis } from '../redis/types.ts';
import { LiveStreams } from './liveStreams.ts';
import {
  type Caller,
  handedOn,
  passedOn,
  passOn,
  pathOf,
  PrimaryClient,
  unreachable,
} from './primaryClient.ts';

const FRESH_MS = 1000;
const MAX_BYTES = 32 << 20;
const MAX_ANSWER = 4 << 20;
const MAX_PRIVATE = 1000;
const PRIVATE_MS = 60_000;
/** Approximate overhead of an entry in addition to body and key. */
const ENTRY_BYTES = 2048;
/** Limit of a shared request, ms, below the idle timeout of callers. */
const ANSWER_MS = 25_000;

type Kept = { etag: string; headers: Headers; body: Uint8Array<ArrayBuffer>; at: number };

/** `Vary` headers of cacheable answers: the first is in the key, the others were not sent. */
const KNOWN_VARY = new Set(['accept-encoding', 'authorization', TOKEN_HEADER]);

function isKeepable({ status, headers }: Response): boolean {
  const control = headers.get('cache-control') ?? '';
  const vary = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return (
    status === 200 &&
    headers.has('etag') &&
    !headers.has('set-cookie') &&
    !/no-store/i.test(control) &&
    Number(headers.get('content-length') ?? 0) <= MAX_ANSWER &&
    vary.every((name) => name === '' || KNOWN_VARY.has(name))
  );
}

const costOf = (key: string, { body }: Kept): number => body.byteLength + key.length + ENTRY_BYTES;

type Asking = { request: Request; caller: Caller };

/**
 * Caches public answers with an ETag briefly, so a thousand pages cost the primary one answer per second.
 * Requests and cached answers never carry authorization.
 */
export class PublicAnswers {
  readonly #kept = new Map<string, Kept>();
  readonly #asking = new Map<string, Promise<Kept | null>>();
  /** Until when an address counts as private, by the stopwatch. */
  readonly #private = new Map<string, number>();
  #bytes = 0;

  constructor(
    private readonly primary: PrimaryClient,
    private readonly clock: Stopwatch,
    private readonly answerMs = ANSWER_MS,
  ) {}

  async answer(request: Request, caller: Caller): Promise<Response | null> {
    const { method, headers } = request;
    if (
      method !== 'GET' ||
      ['authorization', TOKEN_HEADER, 'cookie', 'range'].some((name) => headers.has(name))
    )
      return null;
    const path = pathOf(request);
    const key = `${headers.get('accept-encoding') ?? ''} ${path}`;
    if (this.#isPrivate(path)) return null;
    const known = this.#used(key);
    if (known && this.clock.monotonic() - known.at < FRESH_MS) return given(request, known);
    const shared = this.#asking.get(key);
    if (shared) {
      const kept = await shared;
      return kept && given(request, kept);
    }
    return this.#ask(key, path, { request, caller }, known);
  }

  bytes(): number {
    return this.#bytes;
  }

  async #ask(key: string, path: string, asking: Asking, known: Kept | null): Promise<Response> {
    const { promise, resolve } = Promise.withResolvers<Kept | null>();
    this.#asking.set(key, promise);
    let kept: Kept | null = null;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.answerMs);
    try {
      const at = this.clock.monotonic();
      const response = await this.#fetch(path, { ...asking, signal: late.signal }, known);
      if (response.status === 304 && known) kept = { ...known, at };
      else if (isKeepable(response)) kept = await read(response, at);
      else {
        this.#drop(key);
        if (response.status === 200) this.#notPublic(path);
        return handedOn(response);
      }
      this.#keep(key, kept);
      return given(asking.request, kept);
    } catch (error) {
      return unreachable(asking.request, error);
    } finally {
      clearTimeout(timer);
      this.#asking.delete(key);
      resolve(kept);
    }
  }

  /** The first caller's abort does not cancel it, because others may wait for it. */
  #fetch(
    path: string,
    { request, caller, signal }: Asking & { signal: AbortSignal },
    known: Kept | null,
  ): Promise<Response> {
    const headers = passedOn(request.headers);
    for (const name of ['if-none-match', 'if-modified-since', 'cache-control', 'pragma'])
      headers.delete(name);
    if (known) headers.set('if-none-match', known.etag);
    return this.primary.ask(path, { headers, signal }, caller);
  }

  #used(key: string): Kept | null {
    const kept = this.#kept.get(key);
    if (!kept) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    if (kept.body.byteLength > MAX_ANSWER) return;
    this.#kept.set(key, kept);
    this.#bytes += costOf(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#bytes -= costOf(key, kept);
  }

  #notPublic(path: string): void {
    this.#private.delete(path);
    this.#private.set(path, this.clock.monotonic() + PRIVATE_MS);
    for (const oldest of this.#private.keys()) {
      if (this.#private.size <= MAX_PRIVATE) return;
      this.#private.delete(oldest);
    }
  }

  #isPrivate(path: string): boolean {
    return (this.#private.get(path) ?? Number.NEGATIVE_INFINITY) > this.clock.monotonic();
  }
}

async function read(response: Response, at: number): Promise<Kept> {
  const headers = passedOn(response.headers);
  for (const name of ['content-length', 'date']) headers.delete(name);
  const body = new Uint8Array(await response.arrayBuffer());
  return { etag: headers.get('etag') ?? '', headers, body, at };
}

function given(request: Request, { etag, headers, body }: Kept): Response {
  if (!isNotModified(request, etag)) return new Response(body, { headers });
  const few = new Headers(headers);
  for (const name of ['content-type', 'content-encoding']) few.delete(name);
  return new Response(null, { status: 304, headers: few });
}

const MAX_SMALL = 1 << 20;

/** Whether an answer takes time: a large file, or a body of unknown length. */
function isChunked({ headers }: Response): boolean {
  const length = headers.get('content-length');
  return length === null || Number(length) > MAX_SMALL;
}

/** Removes the idle timeout during an answer, because only the primary knows how long it takes. */
export function inChunks(
  request: Request,
  response: Response,
  { keepOpen, limitAgain }: Pick<ConnectionTable, 'keepOpen' | 'limitAgain'>,
): Response {
  if (response.body === null || !isChunked(response)) return response;
  keepOpen(request);
  const over = new TransformStream<Uint8Array, Uint8Array>({ flush: () => limitAgain(request) });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(over), { status, statusText, headers });
}

export type RelaySettings = Pick<Config, 'host' | 'port' | 'hsts' | 'trustedProxies'> & {
  engineUrl: string;
  secret: string;
  primaryUrl: string;
  name: string | null;
};

type RelayContext = {
  clock: SystemClock;
  log: Log;
  assets: Assets;
  about: About;
  announce(line: string): void;
  engine?: Redis;
};

export type RunningRelay = {
  url: string;
  health(): RelayHealth;
  stop(): Promise<void>;
};

const FIRST_ANSWER_MS = 5000;

/** Logs whether the primary can be reached; the relay starts anyway. */
async function tryPrimary(primary: PrimaryClient, log: Log): Promise<void> {
  const signal = AbortSignal.timeout(FIRST_ANSWER_MS);
  try {
    const response = await primary.ask('/healthz', { headers: new Headers(), signal }, null);
    await response.body?.cancel();
    if (!response.ok) log.warn('The primary answers, but is not Bellbird', { status: response.status });
  } catch (error) {
    log.warn('The primary cannot be reached; its requests are refused until it can', { error });
  }
}

function createCallers(trustedProxies: readonly string[]) {
  const table = createConnections(trustedProxies);
  const byHttps = new WeakMap<Request, boolean>();
  const connections: ConnectionTable = {
    ...table,
    note(request, received, server) {
      table.note(request, received, server);
      byHttps.set(request, table.isHttps(received, server));
    },
  };
  const callerOf = (request: Request): Caller => ({
    address: table.clientAddress(request),
    isHttps: byHttps.get(request) === true,
  });
  return { connections, callerOf };
}

type Parts = {
  streams: LiveStreams;
  primary: PrimaryClient;
  answers: PublicAnswers;
  health(): RelayHealth;
} & ReturnType<typeof createCallers>;

/** Answers above this have no time limit, ms; it is below the idle timeout. */
const SLOW_MS = 20_000;
/** Matches the primary's addresses for relays in any notation, up to 200 characters. */
function isForRelays(pathname: string): boolean {
  try {
    return /^\/{1,200}api\/{1,200}relays(?:\/|$)/i.test(decodeURIComponent(pathname));
  } catch {
    return false;
  }
}

type RelayHealth = {
  ok: boolean;
  pid: number;
  uptimeSec: number;
  startedAt: number;
  version: string;
  commit: string;
} & {
  relay: { engine: { up: boolean; problem: string | null } } & ReturnType<LiveStreams['figures']>;
};

/** A load balancer skips a relay that opens no streams. */
const answerHealth = (health: RelayHealth): Response =>
  Response.json(health, { status: health.ok ? 200 : 503, headers: { 'cache-control': 'no-store' } });

function createPass({ primary, connections, callerOf }: Pick<Parts, 'primary' | 'connections' | 'callerOf'>) {
  return async (request: Request): Promise<Response> => {
    // The primary decides how long an answer takes. A kept connection may still have an earlier limit.
    let isSlow = false;
    const slow = setTimeout(() => {
      isSlow = true;
      connections.keepOpen(request);
    }, SLOW_MS);
    const response = await passOn(primary, request, callerOf(request)).finally(() => clearTimeout(slow));
    if (isSlow) connections.limitAgain(request);
    return inChunks(request, response, connections);
  };
}

function createHandlers(parts: Parts, assets: Assets): Handlers {
  const { streams, answers, connections, callerOf } = parts;
  const pass = createPass(parts);
  const api = async (request: Request): Promise<Response> => {
    const { pathname: asked, searchParams } = new URL(request.url);
    // Like the primary, ignores a trailing slash, because the streams must come from the relay.
    const pathname = asked.replace(/\/$/, '');
    if (isForRelays(pathname)) return refusalResponse(404, 'The API has no such address.');
    if (pathname === '/healthz' && !searchParams.has('primary')) return answerHealth(parts.health());
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === '/api/data/stream' && isReading) return streams.market(request);
    if (pathname === '/api/user/alerts/stream' && request.method === 'GET') {
      return (await streams.alerts(request)) ?? pass(request);
    }
    const kept = pathname.startsWith('/api/') ? await answers.answer(request, callerOf(request)) : null;
    return kept ?? pass(request);
  };
  const page = async (request: Request): Promise<Response | undefined> => {
    // `fetch` would normalise such a path to an API address and bypass the checks above.
    if (new URL(request.url).pathname.startsWith('//')) return undefined;
    return streams.isOtherVersion() ? pass(request) : (assets.respond(request) ?? pass(request));
  };
  return {
    health: () => null,
    admit: async () => null,
    inTurn: null,
    api,
    refused: () => {},
    localFiles: pass,
    assets: { respond: page },
    connections,
  };
}

/** Starts a relay, even if it can reach nothing. @throws ListenError if the port is not available */
export async function startRelay(settings: RelaySettings, context: RelayContext): Promise<RunningRelay> {
  const { clock, log, about, assets, announce } = context;
  const { engineUrl, secret, primaryUrl, name } = settings;
  const redis = context.engine ?? createRedis({ url: engineUrl, secret, clock, log: log.child('engine') });
  const primary = new PrimaryClient(primaryUrl, secret);
  const callers = createCallers(settings.trustedProxies);
  const { keepOpen, cutOff, clientAddress } = callers.connections;
  const streams = new LiveStreams({
    engine: redis,
    primary,
    clock,
    log,
    about,
    keepOpen,
    cutOff,
    clientAddress,
    id: crypto.randomUUID(),
    name: name ?? hostname(),
  });
  const started = clock.monotonic();
  const health = (): RelayHealth => {
    const { pid, version, commit, startedAt } = about;
    const uptimeSec = Math.round((clock.monotonic() - started) / 1000);
    const relay = { engine: { up: redis.isUp(), problem: redis.problem() }, ...streams.figures() };
    return { ok: relay.isServing, pid, uptimeSec, startedAt, version, commit, relay };
  };
  const answers = new PublicAnswers(primary, clock);
  const handlers = createHandlers({ streams, primary, answers, health, ...callers }, assets);
  const listening = listen({ ...settings, log }, handlers);
  redis.listen({
    up: () => log.info('Redis answers'),
    down: (problem) => log.warn('Redis is unreachable: no updates arrive from the primary', { problem }),
  });
  redis.start();
  streams.start();
  announce(`Bellbird relays on ${listening.url} for ${primaryUrl}.`);
  void tryPrimary(primary, log);
  return {
    url: listening.url,
    health,
    async stop() {
      await streams.stop();
      await listening.stop();
      await redis.stop();
    },
  };
}
