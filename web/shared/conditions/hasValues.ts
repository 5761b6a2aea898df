import { readerOf } from '../../../src/domain/conditions/reader.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import type { Operand } from '../../../src/domain/conditions/operand.ts';

/** Whether any stock has a value for the operand; a number always has one. */
export function hasValues(operand: Operand, stocks: ReadonlyMap<string, Stock>): boolean {
  const read = readerOf(operand);
  for (const stock of stocks.values()) if (read(stock) !== null) return true;
  return false;
}
