import type { Stock } from '#market/rules/stock.ts';
import type { Condition, Operator } from './condition.ts';
import { readerOf } from './reader.ts';
import type { IgnoresStatus } from './scanFields.ts';

/** −1 below, 0 equal, 1 above. */
export type Side = -1 | 0 | 1;

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
export type PlainOperator = Exclude<Operator, 'crosses_above' | 'crosses_below'>;

const HOLDS: Readonly<Record<PlainOperator, (side: Side) => boolean>> = {
  '>': (side) => side > 0,
  '>=': (side) => side >= 0,
  '==': (side) => side === 0,
  '!=': (side) => side !== 0,
  '<=': (side) => side <= 0,
  '<': (side) => side < 0,
};

/** Whether a condition holds for a stock. An unknown value meets no comparison, not even '!='. */
export function comparisonOf(
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
