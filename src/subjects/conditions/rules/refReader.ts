import type { Stock } from '#market/rules/stock.ts';
import type { Ref } from './operand.ts';

/** A number that can be compared; null for anything else. */
export const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A function that reads an indicator or a higher-timeframe candle off a stock; null when the stock does not have it. */
export function refReader(ref: Ref): (stock: Stock) => number | null {
  if (ref.type === 'htf') {
    const { period, field } = ref;
    return (stock) => finite(stock.htf?.[period]?.[field]);
  }
  const { tf, key, valueKey } = ref;
  return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
}
