import { zlib } from '../../lib/zlib.ts';

/**
 * A gzip stream is a header, deflate blocks and a trailer. Each message becomes blocks that end on a byte border, so
 * that the same bytes fit behind what any client got before, as far as they refer to it: every client gets the header
 * once, then the shared blocks, and never a trailer.
 */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);

/** Level 6 leaves 5 % more bytes, level 8 takes twice the time. */
const LEVEL = 7;

/** How far back a deflate block can refer, in bytes of plain text. */
export const WINDOW = 32_768;

/** Compresses one message by itself. */
export const pack = (bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, { level: LEVEL, finishFlush: zlib().constants.Z_FULL_FLUSH });

/**
 * Compresses a message that may refer to the text right before it in the client's stream. What repeats there are codes
 * and names; short repeats of digits cost more than they save, hence the strategy.
 * @param before at most 32 KB, not empty
 */
export const packAfter = (before: Uint8Array, bytes: Uint8Array): Uint8Array =>
  zlib().deflateRawSync(bytes, {
    level: LEVEL,
    strategy: zlib().constants.Z_FILTERED,
    finishFlush: zlib().constants.Z_FULL_FLUSH,
    dictionary: before,
  });

/** The message that `pack` was given. */
export const unpack = (packed: Uint8Array): Uint8Array =>
  zlib().inflateRawSync(packed, { finishFlush: zlib().constants.Z_SYNC_FLUSH });
