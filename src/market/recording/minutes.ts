import type { MinuteBar } from '../bars/rules/bars.ts';
import { MINUTE_MS } from '#lib/units.ts';
import { ByteReader, ByteWriter } from '#lib/pack.ts';
import { damaged } from './types.ts';
import { LAST, VOLUME } from './figures.ts';
import type { StockTable } from './stockTable.ts';

const PRICE_SCALE = 1000;

export const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

export type NewFigures = { row: number; time: number; now: Float64Array };

export type Trade = { code: string; time: number; price: number; volume: number };

/**
 * The trade in a stock's new figures: a higher volume, or another price. Null without one, and for a stock's
 * first figures, whose volume is older.
 * @param before the last figures, from `offset` on
 */
function tradeOf(
  before: Float64Array,
  offset: number,
  last: number,
  volume: number,
): Omit<Trade, 'code' | 'time'> | null {
  if (Number.isNaN(last)) return null;
  const volumeBefore = before[offset + VOLUME] ?? Number.NaN;
  const added = (Number.isNaN(volume) ? 0 : volume) - (Number.isNaN(volumeBefore) ? 0 : volumeBefore);
  if (added > 0) return { price: last, volume: added };
  return last !== before[offset + LAST] && added === 0 ? { price: last, volume: 0 } : null;
}

export type Minutes = Map<string, MinuteBar[]>;

export function addTrade(minutes: Minutes, { code, time, price, volume }: Trade): void {
  const begin = minuteOf(time);
  const ofCode = minutes.get(code) ?? [];
  if (ofCode.length === 0) minutes.set(code, ofCode);
  const bar = ofCode.at(-1);
  if (bar?.time !== begin) {
    ofCode.push({ time: begin, open: price, high: price, low: price, close: price, volume });
    return;
  }
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
  bar.volume += volume;
}

/** The trade in new figures; null if none. The table still has the last figures. */
export function tradeIn(table: StockTable, { row, time, now }: NewFigures): Trade | null {
  const code = table.codeOf(row);
  if (code === undefined || table.textsOf(row) === null) return null;
  const trade = tradeOf(
    table.numbers(),
    table.offsetOf(row),
    now[LAST] ?? Number.NaN,
    now[VOLUME] ?? Number.NaN,
  );
  return trade && { code, time, ...trade };
}

export function writeMinutes(minutes: Minutes, from: number): Uint8Array {
  const writer = new ByteWriter();
  writer.json([...minutes.keys()]);
  for (const bars of minutes.values()) {
    writer.varint(bars.length);
    let close = 0;
    for (const bar of bars) {
      writer.varint((bar.time - from) / MINUTE_MS);
      writer.near(bar.open, close, PRICE_SCALE);
      writer.near(bar.high, bar.open, PRICE_SCALE);
      writer.near(bar.low, bar.open, PRICE_SCALE);
      writer.near(bar.close, bar.open, PRICE_SCALE);
      writer.near(bar.volume, 0, 1);
      close = bar.close;
    }
  }
  return writer.written();
}

export function readMinutes(data: Uint8Array, from: number): Minutes {
  const reader = new ByteReader(data, damaged);
  const minutes: Minutes = new Map();
  const codes = reader.json();
  if (!Array.isArray(codes)) throw damaged();
  for (const code of codes) {
    if (typeof code !== 'string') throw damaged();
    const bars: MinuteBar[] = [];
    let close = 0;
    for (let count = reader.varint(); count > 0; count -= 1) {
      const time = from + reader.varint() * MINUTE_MS;
      const open = reader.near(close, PRICE_SCALE);
      const high = reader.near(open, PRICE_SCALE);
      const low = reader.near(open, PRICE_SCALE);
      close = reader.near(open, PRICE_SCALE);
      bars.push({ time, open, high, low, close, volume: reader.near(0, 1) });
    }
    minutes.set(code, bars);
  }
  return minutes;
}
