import { FIELD_COLUMNS } from '#market/scanners/rules/columns.ts';
import { createFieldReader, type FieldReader } from './conditionFields.ts';
import type { Operand } from './operand.ts';
import { finite, refReader } from './refReader.ts';
import type { IgnoresStatus } from './scanFields.ts';

/** Gives the value of one operand for a stock; null when it is not known. */
export type Reader = FieldReader;

function fieldReader(key: string, ignoreStatus?: IgnoresStatus): Reader {
  const column = FIELD_COLUMNS.find(({ id }) => id === key);
  if (column) return (stock) => finite(column.value(stock));
  const read = createFieldReader(key, ignoreStatus);
  return read ? (stock, now) => finite(read(stock, now)) : () => null;
}

/**
 * A function that reads an operand's value off a stock; null when the stock does not have it, for texts, and for saved
 * scans, which follow from their own conditions. Made once per operand.
 * @param ignoreStatus asked by conditions on a scanner
 */
export function readerOf(operand: Operand, ignoreStatus?: IgnoresStatus): Reader {
  switch (operand.type) {
    case 'number': {
      const value = finite(operand.value);
      return () => value;
    }
    case 'text':
    case 'scan':
      return () => null;
    case 'field':
      return fieldReader(operand.key, ignoreStatus);
    default:
      return refReader(operand);
  }
}
