import { TOKEN_HEADER } from '#platform/http/rules/tokenHeader.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { isNotModified } from '#lib/requestHeaders.ts';
import { type Caller, handedOn, passedOn, pathOf, type PrimaryClient, unreachable } from './primaryClient.ts';

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

/** Bytes in memory; the key may be longer than the body. */
const costOf = (key: string, { body }: Kept): number => body.byteLength + key.length + ENTRY_BYTES;

type Asking = { request: Request; caller: Caller };

/**
 * Caches public answers with an ETag for a moment, so a thousand pages cost the primary one answer per
 * second. Requests and cached answers never carry authorization.
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
