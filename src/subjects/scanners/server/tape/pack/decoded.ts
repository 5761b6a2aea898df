import { TAPE_FIELDS, TAPE_TABLES, type TapeTable } from '../../../rules/tape/tapeTables.ts';
import { type PackedRows, readTape, type TapeRow } from './codec.ts';

/** A minute since the epoch with its tables. */
export type DecodedMinute = {
  minute: number;
  codes(table: TapeTable): readonly string[];
  /** A row by its place among the codes. */
  row(table: TapeTable, index: number): TapeRow;
};

/** Minutes of a tape as they were written, oldest first. */
export type DecodedMinutes = { minutes: readonly DecodedMinute[]; bytes: number };

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
