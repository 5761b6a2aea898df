import { acceptsGzip } from '../../lib/acceptEncoding.ts';
import { isNotModified } from '../../lib/notModified.ts';

type Encoded = { json: string; gzip: Uint8Array<ArrayBuffer>; etag: string };

/** So many answers are kept: all who look at the live tape ask for the same few. */
const MAX_KEPT = 24;

function encode(answer: unknown): Encoded {
  const json = JSON.stringify(answer);
  return { json, gzip: Bun.gzipSync(json, { level: 4 }), etag: `"${Bun.hash(json).toString(36)}"` };
}

/**
 * Answers as bytes with an entity tag, each made once as long as the tape stays the same.
 * @param version another one when an answer may be
 */
export function createAnswers(version: () => string) {
  const kept = new Map<string, Encoded>();
  let keptVersion = version();

  return {
    /**
     * @param key names what is asked for @returns the answer, typed as what is in it, so that callers of the typed client
     *   see it
     */
    of<Answer>(request: Request, key: string, make: () => Answer): Answer {
      if (keptVersion !== version()) kept.clear();
      keptVersion = version();
      const encoded = kept.get(key) ?? encode(make());
      kept.delete(key);
      kept.set(key, encoded);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        kept.delete(oldest);
      }
      const headers = { etag: encoded.etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' };
      if (isNotModified(request, encoded.etag)) {
        return new Response(null, { status: 304, headers }) as unknown as Answer;
      }
      const isPacked = acceptsGzip(request.headers.get('accept-encoding'));
      return new Response(isPacked ? encoded.gzip : encoded.json, {
        headers: {
          ...headers,
          'content-type': 'application/json',
          ...(isPacked && { 'content-encoding': 'gzip' }),
        },
      }) as unknown as Answer;
    },
    size: () => kept.size,
  };
}

export type Answers = ReturnType<typeof createAnswers>;
