import type { Stock } from '#market/rules/stock.ts';
import type { Ref } from './operand.ts';

// Separate from the evaluator, because the first page shows columns but evaluates nothing.

export const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** @returns a reader that returns null if the stock does not have the value */
export function refReader(ref: Ref): (stock: Stock) => number | null {
  if (ref.type === 'htf') {
    const { period, field } = ref;
    return (stock) => finite(stock.htf?.[period]?.[field]);
  }
  const { tf, key, valueKey } = ref;
  return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
}
