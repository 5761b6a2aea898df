import { acceptsGzip } from '../../lib/acceptEncoding.ts';
import { isNotModified } from '../../lib/notModified.ts';

/** An answer as bytes with its tag. */
export type Encoded = { json: string; etag: string; packed: Uint8Array<ArrayBuffer> | null };

/** What answers are made of; the same things, compared one by one, make the same answer. */
export type Version = readonly unknown[];

/** Encoded answers that are used again as long as nothing changed that they are made of. */
export type EncodedAnswers = {
  get(key: string, version: Version): Encoded | null;
  put(key: string, version: Version, encoded: Encoded): void;
  clear(): void;
  /** Characters and bytes that are held. */
  size(): number;
};

/** Shorter answers are not worth packing. */
const MIN_PACKED = 1000;

export function encode(answer: unknown): Encoded {
  const json = JSON.stringify(answer);
  return { json, etag: `W/"${Bun.hash(json).toString(36)}"`, packed: null };
}

/** The answer to a request: packed where it may be, once for all who ask for it, and 304 to who has it. */
export function respondWith(encoded: Encoded, request: Request): Response {
  const { json, etag } = encoded;
  const headers = {
    'content-type': 'application/json',
    // A caller's own copy, asked about each time: bars go on.
    'cache-control': 'private, no-cache',
    vary: 'accept-encoding',
    etag,
  };
  if (isNotModified(request, etag)) return new Response(null, { status: 304, headers });
  const isPacked = json.length >= MIN_PACKED && acceptsGzip(request.headers.get('accept-encoding'));
  if (!isPacked) return new Response(json, { headers });
  encoded.packed ??= Bun.gzipSync(json, { level: 1 });
  return new Response(encoded.packed, { headers: { ...headers, 'content-encoding': 'gzip' } });
}

export const isSameVersion = (a: Version, b: Version | null): boolean =>
  b !== null && a.length === b.length && a.every((part, index) => part === b[index]);

/** @param maxSize those that were used longest ago are forgotten beyond */
export function createEncodedAnswers(maxSize: number): EncodedAnswers {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
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
      // Its packed bytes, which come later, are a third of it at most.
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
