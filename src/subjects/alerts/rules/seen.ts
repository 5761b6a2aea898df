import type { Operand } from '#subjects/conditions/rules/operand.ts';
import { operandText } from '#subjects/conditions/rules/operandText.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Program } from './program.ts';
import type { Span } from './programRows.ts';
import { TRUE, UNKNOWN } from './truth.ts';
import type { SeenCondition, SeenSide } from './trigger.ts';

type Names = Pick<Catalog, 'indicators'>;

/** Gives the words of an operand. */
export type OperandText = (operand: Operand) => string;

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** @param before at the last evaluation; only for a crossing */
const sideOf = (text: string, value: number, before: number | null): SeenSide =>
  before === null ? { text, value: known(value) } : { text, value: known(value), before: known(before) };

/** The sector is a text: there are no numbers. */
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

/** Gives the words of operands. Those of what has a column are kept as long as the catalog stays the same. */
export function createOperandTexts(catalog: () => Names): OperandText {
  const texts = new WeakMap<Operand, { names: Names; text: string }>();
  return (operand) => {
    // Numbers are made again at each look.
    if (operand.type === 'number') return operandText(operand, null);
    const names = catalog();
    const kept = texts.get(operand);
    if (kept?.names === names) return kept.text;
    const text = operandText(operand, names);
    texts.set(operand, { names, text });
    return text;
  };
}

/**
 * What an alert's conditions see in the values at hand.
 * @param isEvaluated whether the conditions are evaluated; else each holds null
 */
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
