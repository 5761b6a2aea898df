import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { haltText } from '#market/rules/stockState.ts';
import { type Operand, operandText } from '#subjects/conditions/rules/operand.ts';
import { UNTIL_OPEN } from './alertState.ts';
import type { Program, Span } from './program.ts';
import { isOpeningField, isReady, type LiveReads, type Readiness, TRUE, UNKNOWN } from './readiness.ts';
import type { SeenCondition, SeenSide } from './trigger.ts';

type Names = Pick<Catalog, 'indicators'>;

export type OperandText = (operand: Operand) => string;

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** @param before the value at the last evaluation; only for a crossing */
const sideOf = (text: string, value: number, before: number | null): SeenSide =>
  before === null ? { text, value: known(value) } : { text, value: known(value), before: known(before) };

/** A comparison of the sector, which is a text and has no numbers. */
function seenSector(program: Program, row: number, textOf: OperandText): SeenCondition {
  const { lhs, op, rhs } = program.conditionOf(row);
  return {
    left: { text: textOf(lhs), value: null },
    op,
    right: { text: textOf(rhs), value: null },
    holds: null,
  };
}

function seenNumbers(program: Program, row: number, textOf: OperandText): SeenCondition {
  const { lhs, op, rhs } = program.conditionOf(row);
  const isCrossing = program.isCrossing(row);
  return {
    left: sideOf(textOf(lhs), program.leftOf(row), isCrossing ? program.leftBeforeOf(row) : null),
    op,
    right: sideOf(textOf(rhs), program.rightOf(row), isCrossing ? program.rightBeforeOf(row) : null),
    holds: null,
  };
}

/** Returns texts of operands. Those of operands with a column are cached until the catalog changes. */
export function createOperandTexts(catalog: () => Names): OperandText {
  const texts = new WeakMap<Operand, { names: Names; text: string }>();
  return (operand) => {
    // Numbers are not cached, because every evaluation creates new operands for them.
    if (operand.type === 'number') return operandText(operand, null);
    const names = catalog();
    const kept = texts.get(operand);
    if (kept?.names === names) return kept.text;
    const text = operandText(operand, names);
    texts.set(operand, { names, text });
    return text;
  };
}

/** The current values of an alert's conditions. @param isEvaluated if false, `holds` is null for all */
export function seenOf(
  program: Program,
  { first, count }: Pick<Span, 'first' | 'count'>,
  textOf: OperandText,
  isEvaluated: boolean,
): SeenCondition[] {
  const seen: SeenCondition[] = [];
  for (let row = first; row < first + count; row += 1) {
    const one = program.isText(row) ? seenSector(program, row, textOf) : seenNumbers(program, row, textOf);
    const truth = isEvaluated ? program.test(row) : UNKNOWN;
    one.holds = truth === UNKNOWN ? null : truth === TRUE;
    seen.push(one);
  }
  return seen;
}

/** Reason if the source sends nothing, because the market's values may be old. */
export const STALE = 'No prices are arriving';

/** Why a stock's conditions are not evaluated; null if they are. */
export function notReady(
  symbol: string,
  stock: Stock | null,
  readiness: Readiness,
  reads: LiveReads,
): string | null {
  if (stock === null) return `There are no prices for ${symbol}`;
  if (isReady(readiness, reads)) return null;
  const halt = haltText(symbol, stock);
  if (halt !== null) return halt;
  if (stock.status === 'Pre Open' && stock.last !== null) return `${symbol} is in its pre-open`;
  return `${symbol} has no price yet today`;
}

/**
 * Describes the first unknown value: 'RSI(14) 1h is not known yet'.
 * @param context.isTraded whether the stock has traded, so that its opening auction is over
 */
export function unknownValue(
  program: Program,
  { first, count }: Span,
  symbol: string,
  { textOf, isTraded }: { textOf: OperandText; isTraded: boolean },
): string {
  for (let row = first; row < first + count; row += 1) {
    if (program.test(row) !== UNKNOWN) continue;
    if (program.isText(row)) return `The sector of ${symbol} is unknown`;
    const { lhs, rhs } = program.conditionOf(row);
    const unknown = Number.isNaN(program.leftOf(row)) ? lhs : rhs;
    const isOver = isTraded && unknown.type === 'field' && isOpeningField(unknown.key);
    return `${textOf(unknown)} is ${isOver ? `known only ${UNTIL_OPEN}` : 'not known yet'}`;
  }
  return 'The alert has no conditions';
}
