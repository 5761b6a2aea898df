import type { Stock } from '#market/rules/stock.ts';
import { YEAR, type YearField } from '#market/indicators/rules/indicatorKey.ts';
import type { Ref } from './operand.ts';

// Separate from the evaluator, because the first page shows columns but evaluates nothing.

export const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/**
 * Reads the high or low of the 52 weeks before today: the source's, otherwise that of the daily bars. Until the first
 * trade of a session the last bar is the day before, which then counts.
 */
const yearReader =
  (field: YearField) =>
  ({ yearRange, htf, high }: Stock): number | null =>
    finite(yearRange?.[field] ?? htf?.[YEAR]?.[high === null ? `${field}WithLast` : field]);

/** @returns a reader that returns null if the stock does not have the value */
export function refReader(ref: Ref): (stock: Stock) => number | null {
  if (ref.type === 'htf') {
    if (ref.period === YEAR) return yearReader(ref.field);
    const { period, field } = ref;
    return (stock) => finite(stock.htf?.[period]?.[field]);
  }
  const { tf, key, valueKey } = ref;
  return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
}
