import fresh from 'fresh';
import Negotiator from 'negotiator';

type Body = ReadableStream<Uint8Array> | null;

/**
 * Reads a body, whatever its stated length.
 * @param maxBytes reading stops and cancels the stream beyond this
 * @returns the bytes, empty for a missing body; null if there are more
 * @throws if the connection breaks
 */
export async function readBytes(body: Body, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Bun.concatArrayBuffers(chunks, size, true);
}

export async function readText(body: Body, maxBytes: number): Promise<string | null> {
  const bytes = await readBytes(body, maxBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

export type Encoding = 'br' | 'gzip';

/** Brotli first, because it is smaller, if the caller weighs both the same. */
const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

type Preferring = {
  encoding<T>(available: readonly T[], options: { preferred: readonly string[] }): T | undefined;
};

const negotiatorOf = (header: string | null): Negotiator =>
  new Negotiator({ headers: { 'accept-encoding': header ?? '' } });

/**
 * The available encoding with the highest weight, `identity` if none is accepted (RFC 9110, 12.5.3).
 * @param header Accept-Encoding, null if missing
 */
export function chooseEncoding(header: string | null, available: readonly Encoding[]): Encoding | 'identity' {
  const negotiator = negotiatorOf(header) as Preferring;
  return negotiator.encoding([...available, 'identity' as const], { preferred: PREFERRED }) ?? 'identity';
}

export const acceptsGzip = (header: string | null): boolean =>
  negotiatorOf(header).encodings(['gzip']).length > 0;

/**
 * Whether the caller has this version and can be answered with 304 (RFC 9110, 13.1.2). Tags are compared
 * weakly, because a proxy may have weakened one. A reload gets the full answer.
 * @param etag the entity tag, in quotes
 */
export const isNotModified = ({ headers }: Request, etag: string): boolean =>
  fresh(
    {
      'if-none-match': headers.get('if-none-match') ?? undefined,
      'cache-control': headers.get('cache-control') ?? undefined,
    },
    { etag },
  );
