import { promisify } from 'node:util';
import { lazy } from './lazy.ts';

export const zlib = lazy(() => process.getBuiltinModule('node:zlib'));

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array<ArrayBuffer>>;

/** Run in threads, so that unpacking hundreds of megabytes does not block the event loop. */
const UNPACKERS: ReadonlyMap<string, () => Unpack> = new Map([
  ['gzip', lazy(() => promisify(zlib().gunzip) as Unpack)],
  ['deflate', lazy(() => promisify(zlib().inflate) as Unpack)],
  ['br', lazy(() => promisify(zlib().brotliDecompress) as Unpack)],
  ['zstd', lazy(() => promisify(zlib().zstdDecompress) as Unpack)],
]);

export const ENCODINGS = [...UNPACKERS.keys()].join(', ');

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Unpacks the body of an answer, at most up to the limit.
 * @param encoding the value of `Content-Encoding`, null if missing
 * @returns null if there is more than `maxBytes`
 * @throws if the data is damaged or the encoding was not offered
 */
export async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (bytes.length === 0 || name === '' || name === 'identity') return bytes;
  const unpack = UNPACKERS.get(name)?.();
  if (!unpack) throw Object.assign(new Error('unknown encoding'), { code: 'UNKNOWN_ENCODING' });
  try {
    return await unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (isTooLong(error)) return null;
    throw error;
  }
}
