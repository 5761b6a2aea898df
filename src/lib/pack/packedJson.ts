import { zlib } from '../zlib.ts';

/** JSON as a row of the database keeps it, by zstandard. */
export const packJson = (value: unknown): Uint8Array =>
  Bun.zstdCompressSync(JSON.stringify(value), { level: 1 });

/** What zstandard begins with. Earlier versions deflated their rows, and no deflated row begins so. */
const ZSTD = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

/**
 * The inverse of `packJson`.
 * @param packed text where a migration in SQL wrote it
 * @param maxBytes more than that is not unpacked
 * @throws where the bytes are damaged, or too many
 */
export function unpackJson(packed: Uint8Array | string, maxBytes?: number): unknown {
  if (typeof packed === 'string') return JSON.parse(packed);
  const { inflateRawSync, zstdDecompressSync } = zlib();
  const unpack = ZSTD.equals(packed.subarray(0, ZSTD.length)) ? zstdDecompressSync : inflateRawSync;
  return JSON.parse(unpack(packed, maxBytes === undefined ? {} : { maxOutputLength: maxBytes }).toString());
}

/** As `unpackJson`, but null for bytes that can't be read. */
export function unpackJsonOrNull(packed: Uint8Array | string): unknown {
  try {
    return unpackJson(packed);
  } catch {
    return null;
  }
}
