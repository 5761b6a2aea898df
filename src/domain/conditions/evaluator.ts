import { isHalted } from '../market/halted.ts';
import type { Stock } from '../market/stock.ts';
import { comparisonOf } from './comparison.ts';
import type { Logic } from './condition.ts';
import { type Crossing, createCrossings, crossingOf } from './crossing.ts';

export type Evaluator = {
  /**
   * Whether a stock meets all conditions now. Conditions that look for a crossing compare with the values of the last
   * evaluation in which both were known; the first evaluation of a stock meets none of them.
   * @param now ms on the market's clock; never goes back
   */
  evaluate(stock: Stock, now: number): boolean;
  /** The codes that match; forgets stocks that are not in `stocks` any more. */
  run(stocks: ReadonlyMap<string, Stock>, now: number): ReadonlySet<string>;
};

/**
 * Compiles conditions that must all hold. A value that is not known meets no condition, not even '!='; a halted or
 * suspended stock is not evaluated. No conditions match every stock that is not halted.
 *
 * @param options.holdMs how long a crossing counts after it happened, while its sides stay as they are; 0 for the
 *   evaluation alone in which it happened
 */
export function createEvaluator(logic: Logic, { holdMs = 0 }: { holdMs?: number } = {}): Evaluator {
  const comparisons: ((stock: Stock) => boolean)[] = [];
  const crossings: Crossing[] = [];
  for (const condition of logic.conditions) {
    const { op } = condition;
    if (op === 'crosses_above' || op === 'crosses_below') crossings.push(crossingOf(condition, op));
    else comparisons.push(comparisonOf(condition, op));
  }
  const { areCrossed, keepOnly } = createCrossings(crossings, holdMs);

  // Crossings come first: they take note of each evaluation, also where a comparison fails.
  const evaluate = (stock: Stock, now: number): boolean =>
    !isHalted(stock) && areCrossed(stock, now) && comparisons.every((holds) => holds(stock));

  return {
    evaluate,
    run(stocks, now) {
      const matched = new Set<string>();
      for (const [code, stock] of stocks) if (evaluate(stock, now)) matched.add(code);
      keepOnly(stocks);
      return matched;
    },
  };
}
