import { type Condition, isGroup, type Logic } from '../../src/subjects/conditions/rules/condition.ts';
import type { Operand } from '../../src/subjects/conditions/rules/operand.ts';
import { readerOf } from '../../src/subjects/conditions/rules/reader.ts';
import type { Stock } from '../../src/market/rules/stock.ts';

/* The rules of alerts, written once more as plainly as possible, to hold the engine against. */

export type NaiveAlert = {
  id: number;
  logic: Logic;
  persistent: boolean;
  snoozedUntil: number;
  active: boolean;
  /** What the last evaluation found; null before the first. */
  held: boolean | null;
  /** It fired silently, and its one message is still to come. */
  owesMessage: boolean;
  firedAt: number;
  before: Map<Condition, [number, number]>;
};

export type NaiveFiring = { id: number; silent: boolean; deactivated: boolean };

export const naiveAlert = (id: number, logic: Logic, persistent: boolean): NaiveAlert => ({
  id,
  logic,
  persistent,
  snoozedUntil: 0,
  active: true,
  held: null,
  owesMessage: false,
  firedAt: Number.NEGATIVE_INFINITY,
  before: new Map(),
});

const TRADED = ['last', 'volume', 'change_percent'];
const OPENING = ['match_price', 'match_vol', 'surplus_flipped'];
const AUCTION = [...OPENING, 'gap_percent', 'sensitive_today'];

const IN_HALT = 'sensitive_today';

const conditionsOf = (logic: Logic): Condition[] =>
  logic.conditions.flatMap((member) => (isGroup(member) ? member.conditions : [member]));

const reads = (logic: Logic, keys: readonly string[]): boolean =>
  conditionsOf(logic).some(({ lhs, rhs }) =>
    [lhs, rhs].some((side) => side.type === 'field' && keys.includes(side.key)),
  );

const isHalted = ({ status }: Stock): boolean => status === 'Halted' || status === 'Suspended';

function valueOf(operand: Operand, stock: Stock, hasPrice: boolean): number | null {
  const key = operand.type === 'field' ? operand.key : '';
  if (operand.type !== 'number' && isHalted(stock) && key !== IN_HALT) return null;
  if (!hasPrice && TRADED.includes(key)) return null;
  if (hasPrice && stock.status === 'Open' && OPENING.includes(key)) return null;
  return readerOf(operand)(stock, 0);
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
const above = (a: number, b: number): boolean => a > b && !same(a, b);

function plain(op: Condition['op'], a: number, b: number): boolean {
  if (op === '==') return same(a, b);
  if (op === '!=') return !same(a, b);
  if (op === '>') return above(a, b);
  if (op === '>=') return above(a, b) || same(a, b);
  return op === '<' ? above(b, a) : above(b, a) || same(a, b);
}

/** True, false, or null when a value is not known. */
function holds(alert: NaiveAlert, condition: Condition, stock: Stock, hasPrice: boolean): boolean | null {
  const { lhs, op, rhs } = condition;
  if (rhs.type === 'text') {
    if (isHalted(stock)) return null;
    return stock.sector === null ? null : rhs.values.includes(stock.sector) === (op === '==');
  }
  const a = valueOf(lhs, stock, hasPrice);
  const b = valueOf(rhs, stock, hasPrice);
  if (a === null || b === null) return null;
  if (op !== 'crosses_above' && op !== 'crosses_below') return plain(op, a, b);
  const before = alert.before.get(condition);
  if (!before) return false;
  return op === 'crosses_above'
    ? above(a, b) && !above(before[0], before[1])
    : above(b, a) && !above(before[1], before[0]);
}

const all = (list: readonly (boolean | null)[]): boolean | null =>
  list.includes(false) ? false : list.includes(null) ? null : true;
const any = (list: readonly (boolean | null)[]): boolean | null =>
  list.includes(true) ? true : list.includes(null) ? null : false;

/** Evaluates one alert on a changed stock. @param now epoch ms @returns what fires; null when nothing does */
export function naiveTick(alert: NaiveAlert, stock: Stock, now: number): NaiveFiring | null {
  if (!alert.active) return null;
  const hasPrice = !isHalted(stock) && stock.status !== 'Pre Open' && stock.last !== null;
  if (!hasPrice && !reads(alert.logic, isHalted(stock) ? [IN_HALT] : AUCTION)) return null;
  const test = (condition: Condition) => holds(alert, condition, stock, hasPrice);
  const found = all(
    alert.logic.conditions.map((member) =>
      isGroup(member) ? any(member.conditions.map(test)) : test(member),
    ),
  );
  if (found === null) return null;
  for (const condition of conditionsOf(alert.logic)) {
    const a = valueOf(condition.lhs, stock, hasPrice);
    const b = valueOf(condition.rhs, stock, hasPrice);
    if (a !== null && b !== null) alert.before.set(condition, [a, b]);
  }
  return firing(alert, found, now);
}

function firing(alert: NaiveAlert, found: boolean, now: number): NaiveFiring | null {
  const began = found && alert.held !== true;
  alert.held = found;
  if (!found) alert.owesMessage = false;
  const isSnoozed = alert.snoozedUntil > now;
  const isCooling = now - alert.firedAt < 60_000;
  const fire = (silent: boolean, deactivated: boolean): NaiveFiring => {
    alert.firedAt = now;
    alert.active = !deactivated;
    return { id: alert.id, silent, deactivated };
  };
  if (alert.persistent) return began && !isCooling ? fire(isSnoozed, false) : null;
  if (!isSnoozed) return began || alert.owesMessage ? fire(false, true) : null;
  if (!began) return null;
  alert.owesMessage = true;
  return isCooling ? null : fire(true, false);
}
