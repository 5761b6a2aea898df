import { haltText } from '#market/rules/halted.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { Program } from './program.ts';
import type { Span } from './programRows.ts';
import { UNKNOWN } from './truth.ts';
import { UNTIL_OPEN } from './untilOpen.ts';
import { isOpeningField, isReady, type LiveReads, type Readiness } from './readiness.ts';
import type { OperandText } from './seen.ts';

/** The source brings nothing now: what the market holds may be old. */
export const STALE = 'No prices are coming in';

/** Why a stock as a whole is not evaluated for an alert; null when it is. */
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
 * Names the first value that is not known: 'RSI(14) 1h is not known yet'.
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
    if (program.isText(row)) return `The sector of ${symbol} is not known`;
    const { lhs, rhs } = program.conditionOf(row);
    const unknown = Number.isNaN(program.leftOf(row)) ? lhs : rhs;
    const isOver = isTraded && unknown.type === 'field' && isOpeningField(unknown.key);
    return `${textOf(unknown)} is ${isOver ? `known only ${UNTIL_OPEN}` : 'not known yet'}`;
  }
  return 'The alert has no conditions';
}
