import { useMemo } from 'react';
import { createEvaluator } from '../../rules/evaluator.ts';
import type { Logic } from '../../rules/condition.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { marketNow } from '../../../../../web/live/market.ts';

/** For how long a crossing counts, market time: it lasts one tick, too short to see the row that it lets through. */
export const CROSSING_HOLD_MS = 60_000;

/**
 * The codes of the stocks that meet all conditions, computed again with every change of the market.
 * @param logic the same object while its conditions stay the same: another one forgets the crossings so far
 * @returns null without conditions
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
