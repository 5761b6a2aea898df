import { promisify } from 'node:util';
import { lazy } from './lazy.ts';

/** The runtime's compression. Loaded with its first use: all of its streams come with it, 4 ms of a start. */
export const zlib = lazy(() => process.getBuiltinModule('node:zlib'));

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array<ArrayBuffer>>;

/** In threads of their own, so that a body that unpacks to hundreds of megabytes holds nothing up. */
const UNPACKERS: ReadonlyMap<string, () => Unpack> = new Map([
  ['gzip', lazy(() => promisify(zlib().gunzip) as Unpack)],
  ['deflate', lazy(() => promisify(zlib().inflate) as Unpack)],
  ['br', lazy(() => promisify(zlib().brotliDecompress) as Unpack)],
  ['zstd', lazy(() => promisify(zlib().zstdDecompress) as Unpack)],
]);

/** What can be unpacked, as the value of `Accept-Encoding`. */
export const ENCODINGS = [...UNPACKERS.keys()].join(', ');

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Unpacks the body of an answer; of one that unpacks to too much no more is held than the limit.
 * @param encoding the value of `Content-Encoding`, null without one
 * @returns null when there is more than `maxBytes`
 * @throws when it is not packed as it says, or in a way that was not asked for
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
