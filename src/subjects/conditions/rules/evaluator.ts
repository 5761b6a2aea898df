import type { Stock } from '#market/rules/stock.ts';
import { isHalted } from '#market/rules/stockState.ts';
import { FIELD_COLUMNS } from '#market/scanners/rules/columns.ts';
import { type Condition, isGroup, type Logic, type Operator } from './condition.ts';
import { createFieldReader, type FieldReader } from './conditionFields.ts';
import type { Operand } from './operand.ts';
import { finite, refReader } from './refReader.ts';
import type { IgnoresStatus } from './scanFields.ts';

export type Reader = FieldReader;

function fieldReader(key: string, ignoreStatus?: IgnoresStatus): Reader {
  const column = FIELD_COLUMNS.find(({ id }) => id === key);
  if (column) return (stock) => finite(column.value(stock));
  const read = createFieldReader(key, ignoreStatus);
  return read ? (stock, now) => finite(read(stock, now)) : () => null;
}

/**
 * A reader of an operand's value; null if unknown, for texts, and for saved scans, which have their own conditions.
 * Create one per operand.
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

/** Where the left value is: −1 below the right one, 0 equal, 1 above. */
type Side = -1 | 0 | 1;

/** Relative tolerance, because prices and averages have rounding errors. */
const TOLERANCE = 1e-9;

/** Compares two values. All eight operators use it, so that they never contradict each other. */
export function sideOf(left: number, right: number): Side {
  const difference = left - right;
  const noise = TOLERANCE * Math.max(Math.abs(left), Math.abs(right));
  if (difference > noise) return 1;
  return difference < -noise ? -1 : 0;
}

type PlainOperator = Exclude<Operator, 'crosses_above' | 'crosses_below'>;

const HOLDS: Readonly<Record<PlainOperator, (side: Side) => boolean>> = {
  '>': (side) => side > 0,
  '>=': (side) => side >= 0,
  '==': (side) => side === 0,
  '!=': (side) => side !== 0,
  '<=': (side) => side <= 0,
  '<': (side) => side < 0,
};

/** An unknown value fails every comparison, including '!='. */
function comparisonOf(
  { lhs, rhs }: Condition,
  op: PlainOperator,
  ignoreStatus?: IgnoresStatus,
): (stock: Stock, now: number) => boolean {
  if (rhs.type === 'text') return sectorComparisonOf(rhs.values, op);
  const readLeft = readerOf(lhs, ignoreStatus);
  const readRight = readerOf(rhs, ignoreStatus);
  const holds = HOLDS[op];
  return (stock, now) => {
    const left = readLeft(stock, now);
    if (left === null) return false;
    const right = readRight(stock, now);
    return right !== null && holds(sideOf(left, right));
  };
}

/** An unknown sector fails both comparisons. */
function sectorComparisonOf(sectors: readonly string[], op: PlainOperator): (stock: Stock) => boolean {
  const listed = new Set(sectors);
  return ({ sector }) => sector !== null && listed.has(sector) === (op === '==');
}

/** A compiled crossing; `to` is 1 for `crosses_above`, −1 for `crosses_below`. */
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

/** A crossing's state for one stock: the side at the last evaluation with both values, and when it last crossed. */
type Past = { side: Side | null; crossedAt: number };

/** Evaluates a crossing and updates `past`; a stock's first evaluation only stores the side. */
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
   * Updates a stock's state. Returns for each crossing, in order, whether it happened within the holding time. The
   * array is reused.
   */
  update(stock: Stock, now: number): readonly boolean[];
  /** Drops stocks that are no longer listed. */
  keepOnly(stocks: ReadonlyMap<string, Stock>): void;
};

/** @param holdMs how long a crossing counts while its sides do not change, ms */
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
    update(stock, now) {
      if (crossings.length === 0) return crossed;
      const own = pastsOf(stock.code);
      // Evaluates all of them, because each must update its own state.
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

type Evaluator = {
  /**
   * Whether a stock matches now. A crossing compares with the last evaluation in which both values were known, so it
   * cannot happen at a stock's first evaluation.
   * @param now epoch ms by the market's clock; never decreases
   */
  evaluate(stock: Stock, now: number): boolean;
  /** The codes that match; drops the state of stocks that are not in `stocks`. */
  run(stocks: ReadonlyMap<string, Stock>, now: number): ReadonlySet<string>;
};

/** One condition or group; `crossed` contains for each crossing whether it counts now. */
type Test = (stock: Stock, now: number, crossed: readonly boolean[]) => boolean;

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
 * Compiles conditions that must all hold, and groups of which one must. An unknown value fails every comparison, and a
 * halted or suspended stock never matches. An empty list matches every other stock.
 * @param options.holdMs how long a crossing counts while its sides do not change, ms; 0 for one evaluation
 */
export function createEvaluator(
  logic: Logic,
  { holdMs = 0, ignoreStatus }: { holdMs?: number; ignoreStatus?: IgnoresStatus } = {},
): Evaluator {
  const { tests, crossings } = compile(logic, ignoreStatus);
  const { update, keepOnly } = createCrossings(crossings, holdMs);

  function evaluate(stock: Stock, now: number): boolean {
    if (isHalted(stock)) return false;
    // Crossings come first, because each must see every evaluation, even if another condition already failed.
    const crossed = update(stock, now);
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
