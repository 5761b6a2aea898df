import type { Catalog } from '../indicators/types.ts';
import { type Condition, isGroup, type Logic, type Operator } from './condition.ts';
import { operandText } from './operandText.ts';

/** The comparisons in words. */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  '>': 'above',
  '>=': 'at or above',
  '==': 'equal to',
  '!=': 'not equal to',
  '<=': 'at or below',
  '<': 'below',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
};

function wordOf({ op, rhs }: Condition): string {
  if (rhs.type !== 'text') return OPERATOR_WORDS[op];
  if (rhs.values.length === 1) return op === '==' ? 'is' : 'is not';
  return op === '==' ? 'is one of' : 'is none of';
}

/**
 * A scan in words: 'Last above 2 and any of (Volume above 100,000 or RSI(14) 1h below 30)'.
 * @param catalog names of indicators; without it their keys are shown
 */
export function logicText(logic: Logic, catalog: Pick<Catalog, 'indicators'> | null): string {
  const textOf = (condition: Condition) =>
    `${operandText(condition.lhs, catalog)} ${wordOf(condition)} ${operandText(condition.rhs, catalog)}`;
  return logic.conditions
    .map((member) => {
      if (!isGroup(member)) return textOf(member);
      const texts = member.conditions.map(textOf);
      return texts.length === 1 ? texts.join() : `any of (${texts.join(' or ')})`;
    })
    .join(' and ');
}
