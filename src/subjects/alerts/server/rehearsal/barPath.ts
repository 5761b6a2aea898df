import type { BarRow } from '../../../../market/bars/rows.ts';

/**
 * The prices that a bar is known to have gone through: first its open, last its close, and between them both extremes,
 * the one on the other side than the close first. All were traded; only the order of the extremes is a guess.
 */
export function pathOf({ open, high, low, close }: BarRow): number[] {
  const path = close >= open ? [open, low, high, close] : [open, high, low, close];
  return path.filter((price, index) => index === 0 || price !== path[index - 1]);
}

/** A bar as it was after the first so many prices of its path. Its volume counts at its end. */
export function partOf(row: BarRow, path: readonly number[], taken: number): BarRow {
  if (taken === path.length) return row;
  const { key, open } = row;
  const close = path[taken - 1] ?? open;
  let high = open;
  let low = open;
  for (let index = 1; index < taken; index += 1) {
    high = Math.max(high, path[index] ?? open);
    low = Math.min(low, path[index] ?? open);
  }
  return { key, open, high, low, close, volume: 0 };
}

/** The figures of a day so far; `value` is the money traded as far as bars tell it, AUD. */
export type Day = BarRow & { value: number };

/** The price that a bar's shares are reckoned at. */
const typicalPrice = ({ high, low, close }: BarRow): number => (high + low + close) / 3;

/**
 * A day with one more bar, or its first.
 * @param key day number; @param open the day's opening price, which bars of minutes may lack
 */
export function addTo(day: Day | null, row: BarRow, key: number, open: number): Day {
  const { high, low, close, volume } = row;
  const value = volume * typicalPrice(row);
  return {
    key,
    open: day?.open ?? open,
    high: Math.max(high, day?.high ?? open),
    low: Math.min(low, day?.low ?? open),
    close,
    volume: volume + (day?.volume ?? 0),
    value: value + (day?.value ?? 0),
  };
}
