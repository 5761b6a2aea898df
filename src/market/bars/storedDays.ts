import type { Database } from 'bun:sqlite';
import { dayOf } from '../rules/localTime.ts';
import { adjustedBar, type Adjustment, factorSince } from '../rules/splitAdjustment.ts';
import type { Bar } from './rules/bars.ts';
import { type BarRow, rowOf } from './rows.ts';

export type DailyRow = Omit<BarRow, 'key'> & { code: string; date: string };

/** Stored instead of a price that is not known. */
export const UNKNOWN_PRICE = 0;
const readPrice = (price: number): number => (price === UNKNOWN_PRICE ? Number.NaN : price);

export const knownPrices = <T extends Bar>(row: T): T => ({
  ...row,
  open: readPrice(row.open),
  high: readPrice(row.high),
  low: readPrice(row.low),
});

/** A stored day in current prices. Rows have the traded prices. @param adjustments of its stock */
export function storedDay<T extends Bar>(row: T, date: string, adjustments: readonly Adjustment[]): T {
  const bar = knownPrices(row);
  const factor = factorSince(adjustments, date);
  return factor === 1 ? bar : adjustedBar(bar, factor);
}

/** Reads all stored days of a stock, oldest first, in current prices. */
export function createStoredDays(
  client: Pick<Database, 'query'>,
  source: string,
  adjustments: (code: string) => readonly Adjustment[],
): (code: string) => BarRow[] {
  const select = client.query<DailyRow, [string, string]>(
    'SELECT code, date, open, high, low, close, volume FROM daily_bars WHERE source = ? AND code = ? ORDER BY date',
  );
  return (code) =>
    select
      .all(source, code)
      .map(({ date, ...figures }) => rowOf(storedDay(figures, date, adjustments(code)), dayOf(date)));
}
