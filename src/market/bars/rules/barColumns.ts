import type { Bar } from '#market/rules/bar.ts';
import type { BarColumns } from './bars.ts';

/** Columns to which bars can be added. */
export const noBars = (): BarColumns => ({ time: [], open: [], high: [], low: [], close: [], volume: [] });

/**
 * Adds a bar at the end, in place.
 *
 * @param time its beginning as `BarColumns` has it @param bar its prices, AUD, and its volume, shares
 */
export function appendBar(columns: BarColumns, time: number, { open, high, low, close, volume }: Bar): void {
  columns.time.push(time);
  columns.open.push(open);
  columns.high.push(high);
  columns.low.push(low);
  columns.close.push(close);
  columns.volume.push(volume);
}
