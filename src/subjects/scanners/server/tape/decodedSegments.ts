import type { Log } from '#lib/log.ts';
import { TAPE_FIELDS, TAPE_TABLES, type TapeTable } from '#subjects/scanners/rules/tape/tapeTables.ts';
import { type PackedRows, readTape, type TapeRow } from './pack/codec.ts';

/** A minute since the epoch with its tables. */
export type DecodedMinute = {
  minute: number;
  codes(table: TapeTable): readonly string[];
  /** A row by its place among the codes. */
  row(table: TapeTable, index: number): TapeRow;
};

/** Minutes of a tape as they were written, oldest first. */
type DecodedMinutes = { minutes: readonly DecodedMinute[]; bytes: number };

/** A reference to a code, which all minutes share. */
const BYTES_A_CODE = 8;

const bytesOf = ({ codes, figures }: PackedRows): number => codes.length * BYTES_A_CODE + figures.byteLength;

function minuteOf(minute: number, tables: ReadonlyMap<TapeTable, PackedRows>): DecodedMinute {
  return {
    minute,
    codes: (table) => tables.get(table)?.codes ?? [],
    row(table, index) {
      const { codes, figures } = tables.get(table) ?? { codes: [], figures: new Float64Array() };
      const width = TAPE_FIELDS[table].length;
      const values = Array.from(figures.subarray(index * width, (index + 1) * width), (value) =>
        Number.isNaN(value) ? null : value,
      );
      return { code: codes[index] ?? '', values };
    },
  };
}

/**
 * Decodes what a TapeWriter wrote, a minute a step.
 * @returns the minutes before the first that is unreadable, and the error of that one
 */
export function* decodeTape(bytes: Uint8Array): Generator<undefined, DecodedMinutes & { error: unknown }> {
  const minutes: DecodedMinute[] = [];
  let size = 0;
  try {
    for (const { minute, rows } of readTape(bytes)) {
      const tables = new Map(TAPE_TABLES.map((table) => [table, rows(table)]));
      for (const table of tables.values()) size += bytesOf(table);
      minutes.push(minuteOf(minute, tables));
      yield;
    }
  } catch (error) {
    return { minutes, bytes: size, error };
  }
  return { minutes, bytes: size, error: null };
}

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
export class DecodedSegments {
  // A Map iterates in insertion order; re-inserting on use keeps the oldest first.
  private readonly kept = new Map<string, DecodedMinutes>();
  private held = 0;

  constructor(
    private readonly log: Log,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /**
   * @param parts the bytes of a segment, one behind the other, or packed by zstandard where `isPacked`
   * @returns its minutes, oldest first; those before the first that is unreadable
   */
  *minutes(
    parts: readonly Uint8Array[],
    { isPacked, first }: { isPacked: boolean; first: number },
  ): Generator<undefined, readonly DecodedMinute[]> {
    const key = parts.map((part) => `${part.length} ${Bun.hash(part)}`).join(' ');
    const known = this.kept.get(key);
    if (known) {
      this.kept.delete(key);
      this.kept.set(key, known);
      return known.minutes;
    }
    const { error, ...decoded } = yield* decode(parts, isPacked);
    if (error !== null) this.log.warn('A piece of the tape is unreadable and was left out', { first, error });
    this.keep(key, decoded);
    return decoded.minutes;
  }

  /** Bytes that are held. */
  size(): number {
    return this.held;
  }

  private keep(key: string, decoded: DecodedMinutes): void {
    const { kept } = this;
    // Two who read the same at a time both decode it.
    this.held += decoded.bytes - (kept.get(key)?.bytes ?? 0);
    kept.delete(key);
    kept.set(key, decoded);
    for (const [oldest, { bytes }] of kept) {
      if (this.held <= this.maxBytes) return;
      kept.delete(oldest);
      this.held -= bytes;
    }
  }
}
