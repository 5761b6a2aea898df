import { acceptsGzip, isNotModified } from '#lib/http.ts';
import type { Steps } from './readQueue.ts';

/** Answers in progress. Requests for the same answer share one. */
export type RunningAnswers<Answer> = {
  of(key: string, make: () => Answer | Promise<Answer>): Promise<Answer>;
  size(): number;
  clear(): void;
};

export function createRunningAnswers<Answer>(): RunningAnswers<Answer> {
  const running = new Map<string, Promise<Answer>>();
  return {
    of(key, make) {
      const same = running.get(key);
      if (same) return same;
      const fresh = Promise.resolve(make()).finally(() => {
        if (running.get(key) === fresh) running.delete(key);
      });
      running.set(key, fresh);
      return fresh;
    },
    size: () => running.size,
    clear: () => running.clear(),
  };
}

/** Compression level: 1 for an answer to one caller, 4 for a shared one. */
type PackLevel = 1 | 4;

/** An answer as bytes with its entity tag. It is compressed once, for the first caller that accepts that. */
export type Encoded = {
  json: string;
  etag: string;
  level: PackLevel;
  packed: Uint8Array<ArrayBuffer> | null;
};

const MIN_PACKED = 1000;

export function encode(answer: unknown, level: PackLevel = 4): Encoded {
  const json = JSON.stringify(answer);
  return { json, etag: `W/"${Bun.hash(json).toString(36)}"`, level, packed: null };
}

const isToBePacked = ({ json }: Encoded, request: Request): boolean =>
  json.length >= MIN_PACKED && acceptsGzip(request.headers.get('accept-encoding'));

const packedOf = (encoded: Encoded): Uint8Array<ArrayBuffer> =>
  (encoded.packed ??= Bun.gzipSync(encoded.json, { level: encoded.level }));

/** Makes an answer and its bytes for a request, in steps, because text and compression take long. */
export function* encodeInSteps(
  answer: Steps<unknown>,
  request: Request,
  level: PackLevel = 4,
): Steps<Encoded> {
  const made = yield* answer;
  yield;
  const encoded = encode(made, level);
  if (!isToBePacked(encoded, request)) return encoded;
  yield;
  packedOf(encoded);
  return encoded;
}

/**
 * Sends an answer, compressed if the caller accepts that, or 304 if the caller has it.
 * @param options.isPersonal the answer differs by caller
 * @param options.isKept browsers may cache it but must revalidate
 */
export function sendEncoded(
  encoded: Encoded,
  request: Request,
  { isPersonal = false, isKept = true }: { isPersonal?: boolean; isKept?: boolean } = {},
): Response {
  const { json, etag } = encoded;
  const headers = {
    vary: isPersonal ? 'accept-encoding, authorization, x-access-token' : 'accept-encoding',
    ...(isKept ? { 'cache-control': 'private, no-cache', etag } : { 'cache-control': 'no-store' }),
  };
  const respond = (body: string | Uint8Array<ArrayBuffer> | null, more: object, status = 200): Response =>
    new Response(body, { status, headers: { ...headers, ...more } });
  if (isKept && isNotModified(request, etag)) return respond(null, {}, 304);
  const type = { 'content-type': 'application/json' };
  if (!isToBePacked(encoded, request)) return respond(json, type);
  return respond(packedOf(encoded), { ...type, 'content-encoding': 'gzip' });
}

export function* sendBytesInSteps(text: Steps<string>, request: Request): Steps<Response> {
  const made = yield* text;
  yield;
  const headers = {
    'content-type': 'application/octet-stream',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  };
  if (made.length < MIN_PACKED || !acceptsGzip(request.headers.get('accept-encoding'))) {
    return new Response(made, { headers });
  }
  return new Response(Bun.gzipSync(made, { level: 1 }), {
    headers: { ...headers, 'content-encoding': 'gzip' },
  });
}

/** The inputs of an answer. The same inputs, compared one by one, give the same answer. */
export type Version = readonly unknown[];

export type EncodedAnswers = {
  get(key: string, version: Version): Encoded | null;
  put(key: string, version: Version, encoded: Encoded): void;
  clear(): void;
  size(): number;
};

export const isSameVersion = (a: Version, b: Version | null): boolean =>
  b !== null && a.length === b.length && a.every((part, index) => part === b[index]);

/** @param maxSize beyond this size the least recently used answers are removed */
export function createEncodedAnswers(maxSize: number): EncodedAnswers {
  // A Map iterates in insertion order. Reinserting on use keeps the oldest first.
  const byKey = new Map<string, { version: Version; encoded: Encoded; weight: number }>();
  let held = 0;

  function forget(key: string): void {
    held -= byKey.get(key)?.weight ?? 0;
    byKey.delete(key);
  }

  return {
    get(key, version) {
      const known = byKey.get(key);
      if (!known) return null;
      if (!isSameVersion(known.version, version)) {
        forget(key);
        return null;
      }
      byKey.delete(key);
      byKey.set(key, known);
      return known.encoded;
    },
    put(key, version, encoded) {
      forget(key);
      // The compressed bytes, which come later, are a third of it at most.
      const weight = Math.ceil(encoded.json.length * 1.5);
      byKey.set(key, { version, encoded, weight });
      held += weight;
      for (const oldest of byKey.keys()) {
        if (held <= maxSize) return;
        forget(oldest);
      }
    },
    clear() {
      byKey.clear();
      held = 0;
    },
    size: () => held,
  };
}
