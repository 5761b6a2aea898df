import type { Condition, Logic, Operator } from './condition.ts';
import type { Stock } from '../market/stock.ts';
import { type Reader, readerOf } from './reader.ts';

/** Prices and averages carry rounding of their own: what differs by less than this part of itself is equal. */
const TOLERANCE = 1e-9;

/** −1, 0 or 1: where `left` stands against `right`. All eight comparisons are made of it, so they never contradict. */
export function sideOf(left: number, right: number): -1 | 0 | 1 {
  const difference = left - right;
  const noise = TOLERANCE * Math.max(Math.abs(left), Math.abs(right));
  if (difference > noise) return 1;
  return difference < -noise ? -1 : 0;
}

type Crossing = { left: Reader; right: Reader; to: 1 | -1 };
type Test = (stock: Stock) => boolean;

const HOLDS: Readonly<
  Record<Exclude<Operator, 'crosses_above' | 'crosses_below'>, (side: number) => boolean>
> = {
  '>': (side) => side > 0,
  '>=': (side) => side >= 0,
  '==': (side) => side === 0,
  '!=': (side) => side !== 0,
  '<=': (side) => side <= 0,
  '<': (side) => side < 0,
};

function testOf(condition: Condition): Test | Crossing {
  const left = readerOf(condition.lhs);
  const right = readerOf(condition.rhs);
  const { op } = condition;
  if (op === 'crosses_above' || op === 'crosses_below') {
    return { left, right, to: op === 'crosses_above' ? 1 : -1 };
  }
  const holds = HOLDS[op];
  return (stock) => {
    const a = left(stock);
    if (a === null) return false;
    const b = right(stock);
    return b !== null && holds(sideOf(a, b));
  };
}

/** What a crossing remembers of one stock. */
type Past = { side: -1 | 0 | 1 | null; crossedAt: number };

export type Evaluator = {
  /**
   * Whether a stock meets all conditions now. Conditions that look for a crossing compare with the values of the last
   * evaluation in which both were known; the first one only takes note.
   * @param now ms on the market's clock; never goes back
   */
  evaluate(stock: Stock, now: number): boolean;
  /** The codes that match; forgets stocks that are not there any more. */
  run(stocks: ReadonlyMap<string, Stock>, now: number): ReadonlySet<string>;
};

const isStopped = ({ status }: Stock): boolean => status === 'Halted' || status === 'Suspended';

/**
 * Compiles conditions that must all hold. A value that is not known meets no condition, not even '!='; a halted or
 * suspended stock is not evaluated. No conditions match every stock that trades.
 *
 * @param holdMs how long a crossing counts after it happened, while its sides stay as they are; 0 for the evaluation
 * it happened in alone
 */
export function createEvaluator(logic: Logic, { holdMs = 0 }: { holdMs?: number } = {}): Evaluator {
  const tests: Test[] = [];
  const crossings: Crossing[] = [];
  for (const condition of logic.conditions) {
    const test = testOf(condition);
    if (typeof test === 'function') tests.push(test);
    else crossings.push(test);
  }
  const pasts = new Map<string, Past[]>();

  const pastsOf = (code: string): Past[] => {
    const known = pasts.get(code);
    if (known) return known;
    const fresh = crossings.map((): Past => ({ side: null, crossedAt: Number.NEGATIVE_INFINITY }));
    pasts.set(code, fresh);
    return fresh;
  };

  const isCrossed = ({ left, right, to }: Crossing, past: Past, stock: Stock, now: number): boolean => {
    const a = left(stock);
    const b = right(stock);
    if (a === null || b === null) return false;
    const side = sideOf(a, b);
    const before = past.side;
    past.side = side;
    if (side !== to) past.crossedAt = Number.NEGATIVE_INFINITY;
    else if (before !== null && before !== to) {
      past.crossedAt = now;
      return true;
    }
    return holdMs > 0 && now - past.crossedAt <= holdMs;
  };

  /** All of them, even after one failed: each has its own history to keep. */
  const areCrossed = (stock: Stock, now: number): boolean => {
    const own = pastsOf(stock.code);
    let all = true;
    crossings.forEach((crossing, index) => {
      const past = own[index];
      if (past && !isCrossed(crossing, past, stock, now)) all = false;
    });
    return all;
  };

  const evaluate = (stock: Stock, now: number): boolean => {
    if (isStopped(stock)) return false;
    const crossed = crossings.length === 0 || areCrossed(stock, now);
    return crossed && tests.every((test) => test(stock));
  };

  return {
    evaluate,
    run(stocks, now) {
      const matched = new Set<string>();
      for (const [code, stock] of stocks) if (evaluate(stock, now)) matched.add(code);
      if (pasts.size > stocks.size) {
        for (const code of pasts.keys()) if (!stocks.has(code)) pasts.delete(code);
      }
      return matched;
    },
  };
}
