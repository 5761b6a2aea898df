import type { Operand } from './operand.ts';
import { FIELD_COLUMNS } from '../scanners/columns.ts';
import type { Stock } from '../market/stock.ts';

/** Gives the value of one operand for a stock; null when it is not known. */
export type Reader = (stock: Stock) => number | null;

const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function fieldReader(key: string): Reader {
  const column = FIELD_COLUMNS.find(({ id }) => id === key);
  if (!column) return () => null;
  const { value } = column;
  return (stock) => finite(value(stock));
}

/** A function that reads an operand's value off a stock; null when the stock does not have it. Made once per operand. */
export function readerOf(operand: Operand): Reader {
  switch (operand.type) {
    case 'number': {
      const value = finite(operand.value);
      return () => value;
    }
    case 'field':
      return fieldReader(operand.key);
    case 'htf': {
      const { period, field } = operand;
      return (stock) => finite(stock.htf?.[period]?.[field]);
    }
    case 'indicator': {
      const { tf, key, valueKey } = operand;
      return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
    }
  }
}
