import type { Log } from '../../../../lib/log.ts';
import { decodeTape, type DecodedMinute, type DecodedMinutes } from './pack/decoded.ts';

/** Two hours of all tables of a market of 2,000 stocks: what the panel of changes reaches back. */
const MAX_BYTES = 16_000_000;

function* decode(
  parts: readonly Uint8Array[],
  isPacked: boolean,
): Generator<undefined, DecodedMinutes & { error: unknown }> {
  let bytes: Buffer;
  try {
    bytes = Buffer.concat(isPacked ? parts.map((part) => Bun.zstdDecompressSync(part)) : parts);
  } catch (error) {
    return { minutes: [], bytes: 0, error };
  }
  yield;
  return yield* decodeTape(bytes);
}

/**
 * Minutes that were decoded, for the next who looks at them; those that were looked at longest ago go first. What is kept
 * goes by the bytes that were decoded, so nothing of it can be out of date.
 */
export function createDecodedSegments({ log, maxBytes = MAX_BYTES }: { log: Log; maxBytes?: number }) {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  const kept = new Map<string, DecodedMinutes>();
  let held = 0;

  function keep(key: string, decoded: DecodedMinutes): void {
    // Two who read the same at a time both decode it.
    held += decoded.bytes - (kept.get(key)?.bytes ?? 0);
    kept.delete(key);
    kept.set(key, decoded);
    for (const [oldest, { bytes }] of kept) {
      if (held <= maxBytes) return;
      kept.delete(oldest);
      held -= bytes;
    }
  }

  return {
    /**
     * @param parts the bytes of a segment, one behind the other, or packed by zstandard where `isPacked`
     * @returns its minutes, oldest first; those before the first that is unreadable
     */
    *minutes(
      parts: readonly Uint8Array[],
      { isPacked, first }: { isPacked: boolean; first: number },
    ): Generator<undefined, readonly DecodedMinute[]> {
      const key = parts.map((part) => `${part.length} ${Bun.hash(part)}`).join(' ');
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known.minutes;
      }
      const { error, ...decoded } = yield* decode(parts, isPacked);
      if (error !== null) log.warn('A piece of the tape is unreadable and was left out', { first, error });
      keep(key, decoded);
      return decoded.minutes;
    },
    /** Bytes that are held. */
    size: () => held,
  };
}
