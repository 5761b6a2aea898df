import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A gzip stream is a header, deflate blocks and a trailer. Each message becomes blocks that refer to nothing
 * before them and end on a byte border, so the same bytes fit behind any earlier message of any client: every
 * client gets the header once, then the shared blocks, and never a trailer.
 */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** Level 6 leaves 5 % more bytes, level 8 takes twice the time. */
const LEVEL = 7;

/** Compresses one message by itself; the result is never changed and is shared by all clients. */
export const pack = (bytes: Uint8Array): Uint8Array =>
  deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH });

/** The message that `pack` was given. */
export const unpack = (packed: Uint8Array): Uint8Array =>
  inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });

/**
 * Unpacks for clients that do not take gzip, each block once: the message is kept as long as its block is held by
 * anybody, a snapshot's until the next one is built.
 */
export function createPlainText(): (packed: Uint8Array) => Uint8Array {
  const known = new WeakMap<Uint8Array, Uint8Array>();
  return (packed) => {
    const before = known.get(packed);
    if (before) return before;
    const plain = unpack(packed);
    known.set(packed, plain);
    return plain;
  };
}
