import { isHalted } from '#market/rules/halted.ts';
import type { Stock } from '#market/rules/stock.ts';
import { comparisonOf } from './comparison.ts';
import { type Condition, isGroup, type Logic } from './condition.ts';
import { type Crossing, createCrossings, crossingOf } from './crossing.ts';
import type { IgnoresStatus } from './scanFields.ts';

export type Evaluator = {
  /**
   * Whether a stock meets the conditions now. Conditions that look for a crossing compare with the values of the last
   * evaluation in which both were known; the first evaluation of a stock meets none of them.
   * @param now ms on the market's clock; never goes back
   */
  evaluate(stock: Stock, now: number): boolean;
  /** The codes that match; forgets stocks that are not in `stocks` any more. */
  run(stocks: ReadonlyMap<string, Stock>, now: number): ReadonlySet<string>;
};

/** Whether something holds; `crossed` says of each crossing whether it counts at this moment. */
type Test = (stock: Stock, now: number, crossed: readonly boolean[]) => boolean;

/** What must hold, the cheapest first, and the crossings in it, groups included. */
function compile(logic: Logic, ignoreStatus?: IgnoresStatus): { tests: Test[]; crossings: Crossing[] } {
  const crossings: Crossing[] = [];
  const crossed: Test[] = [];
  const compared: Test[] = [];
  const groups: Test[] = [];
  const add = (condition: Condition, ofCrossings: Test[], ofComparisons: Test[]): void => {
    const { op } = condition;
    if (op === 'crosses_above' || op === 'crosses_below') {
      const index = crossings.push(crossingOf(condition, op, ignoreStatus)) - 1;
      ofCrossings.push((_stock, _now, states) => states[index] === true);
    } else ofComparisons.push(comparisonOf(condition, op, ignoreStatus));
  };
  for (const member of logic.conditions) {
    if (isGroup(member)) {
      const any: Test[] = [];
      for (const condition of member.conditions) add(condition, any, any);
      groups.push((stock, now, states) => any.some((holds) => holds(stock, now, states)));
    } else add(member, crossed, compared);
  }
  return { tests: [...crossed, ...compared, ...groups], crossings };
}

/**
 * Compiles conditions that must all hold, and groups of which one condition must. A value that is not known meets no
 * condition, not even '!='; a halted or suspended stock is not evaluated. No conditions match every stock that is not
 * halted.
 *
 * @param options.holdMs how long a crossing counts after it happened, while its sides stay as they are; 0 for the
 *   evaluation alone in which it happened
 * @param options.ignoreStatus asked by conditions on a scanner
 */
export function createEvaluator(
  logic: Logic,
  { holdMs = 0, ignoreStatus }: { holdMs?: number; ignoreStatus?: IgnoresStatus } = {},
): Evaluator {
  const { tests, crossings } = compile(logic, ignoreStatus);
  const { look, keepOnly } = createCrossings(crossings, holdMs);

  function evaluate(stock: Stock, now: number): boolean {
    if (isHalted(stock)) return false;
    // Crossings come first: each takes note of the evaluation, also where another condition has decided already.
    const crossed = look(stock, now);
    return tests.every((holds) => holds(stock, now, crossed));
  }

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
