import { isHalted } from '#market/rules/halted.ts';
import type { Stock } from '#market/rules/stock.ts';
import { comparisonOf, type Side, sideOf } from './comparison.ts';
import { type Condition, isGroup, type Logic } from './condition.ts';
import type { IgnoresStatus } from './scanFields.ts';
import { type Reader, readerOf } from './reader.ts';

/** A condition with `crosses_above` (to 1) or `crosses_below` (to −1). */
type Crossing = { readLeft: Reader; readRight: Reader; to: 1 | -1 };

const crossingOf = (
  condition: Condition,
  op: 'crosses_above' | 'crosses_below',
  ignoreStatus?: IgnoresStatus,
): Crossing => ({
  readLeft: readerOf(condition.lhs, ignoreStatus),
  readRight: readerOf(condition.rhs, ignoreStatus),
  to: op === 'crosses_above' ? 1 : -1,
});

/** What a crossing remembers of one stock: the side at the last evaluation with both values, and when it crossed. */
type Past = { side: Side | null; crossedAt: number };

/** Updates `past`; the first evaluation of a stock only takes note of the side. */
function isCrossed(crossing: Crossing, past: Past, stock: Stock, now: number, holdMs: number): boolean {
  const left = crossing.readLeft(stock, now);
  const right = crossing.readRight(stock, now);
  if (left === null || right === null) return false;
  const { to } = crossing;
  const side = sideOf(left, right);
  const before = past.side;
  past.side = side;
  if (side !== to) past.crossedAt = Number.NEGATIVE_INFINITY;
  else if (before !== null && before !== to) {
    past.crossedAt = now;
    return true;
  }
  return holdMs > 0 && now - past.crossedAt <= holdMs;
}

type Crossings = {
  /**
   * Takes note of a stock. Gives of each crossing, in order, whether it happened at `now` or not longer than the holding
   * time before; the same array each time.
   */
  look(stock: Stock, now: number): readonly boolean[];
  /** Forgets the stocks that are not listed any more. */
  keepOnly(stocks: ReadonlyMap<string, Stock>): void;
};

/**
 * Crossings with the memory that each needs of every stock.
 * @param holdMs how long a crossing counts while its sides stay as they are, ms
 */
function createCrossings(crossings: readonly Crossing[], holdMs: number): Crossings {
  const pasts = new Map<string, Past[]>();
  const crossed = crossings.map(() => false);

  function pastsOf(code: string): Past[] {
    const existing = pasts.get(code);
    if (existing) return existing;
    const created = crossings.map((): Past => ({ side: null, crossedAt: Number.NEGATIVE_INFINITY }));
    pasts.set(code, created);
    return created;
  }

  return {
    look(stock, now) {
      if (crossings.length === 0) return crossed;
      const own = pastsOf(stock.code);
      // Each has its own memory to keep, so none is skipped after one has failed.
      for (const [index, crossing] of crossings.entries()) {
        const past = own[index];
        if (past) crossed[index] = isCrossed(crossing, past, stock, now, holdMs);
      }
      return crossed;
    },
    keepOnly(stocks) {
      if (pasts.size <= stocks.size) return;
      for (const code of pasts.keys()) if (!stocks.has(code)) pasts.delete(code);
    },
  };
}

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
