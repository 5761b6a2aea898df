import { MINUTES_FIELD } from '../../rules/conditionFields.ts';
import { isSector, type Operand } from '../../rules/operand.ts';
import { readerOf } from '../../rules/reader.ts';
import type { Stock } from '../../../../market/rules/stock.ts';

/**
 * Whether any stock has a value for the operand, or nothing is to be waited for: a number and a text are always there,
 * and the minutes since the open come with the open.
 */
export function hasValues(operand: Operand, stocks: ReadonlyMap<string, Stock>): boolean {
  if (operand.type === 'text' || (operand.type === 'field' && operand.key === MINUTES_FIELD)) return true;
  if (isSector(operand)) return [...stocks.values()].some(({ sector }) => sector !== null);
  const read = readerOf(operand);
  for (const stock of stocks.values()) if (read(stock) !== null) return true;
  return false;
}
