import { useMemo } from 'react';
import { createEvaluator } from '../../../src/domain/conditions/evaluator.ts';
import { readerOf } from '../../../src/domain/conditions/reader.ts';
import type { Logic } from '../../../src/domain/conditions/condition.ts';
import type { Operand } from '../../../src/domain/conditions/operand.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { marketNow } from '../live/market.ts';

/** A crossing is over in one tick; a row that is there for a second helps nobody. Market time. */
export const CROSSING_HOLD_MS = 60_000;

/**
 * The codes that meet the conditions, looked at anew with every delta; null without conditions.
 * @param logic give the same object to every render: another one starts the crossings' history anew
 */
export function useMatches(
  logic: Logic | null,
  stocks: ReadonlyMap<string, Stock>,
): ReadonlySet<string> | null {
  const evaluator = useMemo(
    () => (logic ? createEvaluator(logic, { holdMs: CROSSING_HOLD_MS }) : null),
    [logic],
  );
  return useMemo(() => evaluator?.run(stocks, marketNow()) ?? null, [evaluator, stocks]);
}

/** Whether any stock has a value for it; numbers always have. */
export function hasValues(operand: Operand, stocks: ReadonlyMap<string, Stock>): boolean {
  const read = readerOf(operand);
  for (const stock of stocks.values()) if (read(stock) !== null) return true;
  return false;
}
