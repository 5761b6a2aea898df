import { readTable } from './baseReader.ts';
import type { BlockPlace } from './blockIndex.ts';
import { readEvents, type ReadOptions } from './eventReader.ts';
import { LAST, MATCH_PRICE, MATCH_VOLUME, OPEN, SURPLUS, VOLUME } from './figures.ts';
import type { Segment } from './segments.ts';
import type { StockTable } from './stockTable.ts';
import type { ReadOutline, StockOutline } from './types.ts';

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** The outline of a row; null where its stock is not listed. */
function outlineOf(table: StockTable, row: number): StockOutline | null {
  const texts = table.textsOf(row);
  const code = table.codeOf(row);
  if (texts === null || code === undefined) return null;
  const numbers = table.numbers();
  const offset = table.offsetOf(row);
  // Millions of them are made of a day: spread objects would be most of the work.
  return {
    code,
    status: texts.status,
    preOpen: texts.preOpen,
    last: orNull(numbers[offset + LAST]),
    open: orNull(numbers[offset + OPEN]),
    volume: orNull(numbers[offset + VOLUME]),
    match_price: orNull(numbers[offset + MATCH_PRICE]),
    match_vol: orNull(numbers[offset + MATCH_VOLUME]),
    buy_surplus: orNull(numbers[offset + SURPLUS]),
    quoteTime: orNull(table.quoteTimeOf(row)),
  };
}

/** Reads what is told of auctions and statuses, of a whole day in a fraction of the time that playing it takes. */
export const createOutlineReader = (
  segments: readonly Segment[],
  readBlock: (place: BlockPlace) => Uint8Array,
): ReadOutline =>
  function* outline(tell) {
    for (const { base, events } of segments) {
      let table: StockTable | null = null;
      const options: ReadOptions = {
        isOutline: true,
        onStock(row, time) {
          const one = table && outlineOf(table, row);
          if (one) tell(one, time);
        },
      };
      table = readTable(readBlock(base), base.from, options);
      for (let row = 0; row < table.length; row += 1) options.onStock?.(row, base.from);
      yield base.from;
      for (const place of events) {
        readEvents(readBlock(place), table, place.from, options);
        yield place.until;
      }
    }
  };
