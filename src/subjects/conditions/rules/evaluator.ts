import type { Stock } from '#market/rules/stock.ts';
import { isHalted } from '#market/rules/stockState.ts';
import { FIELD_COLUMNS } from '#market/scanners/rules/columns.ts';
import { type Condition, isGroup, type Logic, type Operator } from './condition.ts';
import { createFieldReader, type FieldReader } from './conditionFields.ts';
import type { Operand, Ref } from './operand.ts';
import type { IgnoresStatus } from './scanFields.ts';

/** A number that can be compared; null for anything else. */
const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A function that reads an indicator or a higher-timeframe candle off a stock; null when the stock does not have it. */
export function refReader(ref: Ref): (stock: Stock) => number | null {
  if (ref.type === 'htf') {
    const { period, field } = ref;
    return (stock) => finite(stock.htf?.[period]?.[field]);
  }
  const { tf, key, valueKey } = ref;
  return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
}

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

/** −1 below, 0 equal, 1 above. */
type Side = -1 | 0 | 1;

/** Prices and averages carry rounding errors: what differs by less than this part of itself counts as equal. */
const TOLERANCE = 1e-9;

/** Where `left` stands against `right`. All eight comparisons are made of it, so they never contradict each other. */
export function sideOf(left: number, right: number): Side {
  const difference = left - right;
  const noise = TOLERANCE * Math.max(Math.abs(left), Math.abs(right));
  if (difference > noise) return 1;
  return difference < -noise ? -1 : 0;
}

/** The comparisons that look at one moment alone. */
type PlainOperator = Exclude<Operator, 'crosses_above' | 'crosses_below'>;

const HOLDS: Readonly<Record<PlainOperator, (side: Side) => boolean>> = {
  '>': (side) => side > 0,
  '>=': (side) => side >= 0,
  '==': (side) => side === 0,
  '!=': (side) => side !== 0,
  '<=': (side) => side <= 0,
  '<': (side) => side < 0,
};

/** Whether a condition holds for a stock. An unknown value meets no comparison, not even '!='. */
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

/** Whether the sector is one of these; a stock whose sector is not known meets neither comparison. */
function sectorComparisonOf(sectors: readonly string[], op: PlainOperator): (stock: Stock) => boolean {
  const listed = new Set(sectors);
  return ({ sector }) => sector !== null && listed.has(sector) === (op === '==');
}

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

type Evaluator = {
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
