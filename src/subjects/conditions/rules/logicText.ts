import type { Catalog } from '#market/indicators/rules/types.ts';
import { type Condition, isGroup, type Logic, type Operator } from './condition.ts';
import { isScan, isYesNo, operandText } from './operand.ts';
import { SCAN_BORDER, SCAN_QUESTIONS } from './scanFields.ts';

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
 * The chosen answer of a yes-or-no condition; null for other comparisons.
 * @param right the number on the right side; null for anything else
 */
export function askedAnswer(op: Operator, right: number | null): 'yes' | 'no' | null {
  if ((op !== '==' && op !== '!=') || (right !== 0 && right !== 1)) return null;
  return (op === '==') === (right === 1) ? 'yes' : 'no';
}

/** 'Price-Sensitive Announcement Today is yes'; null for other conditions. */
function yesNoText({ lhs, op, rhs }: Condition): string | null {
  if (!isYesNo(lhs)) return null;
  const answer = askedAnswer(op, rhs.type === 'number' ? rhs.value : null);
  return answer && `${operandText(lhs, null)} is ${answer}`;
}

/** 'enters Pre-Market Scan', 'is in my scan Breakouts'; null unless the condition is on a scan. */
function scanText({ lhs, op, rhs }: Condition): string | null {
  if (!isScan(lhs) || rhs.type !== 'number' || rhs.value !== SCAN_BORDER) return null;
  const question = SCAN_QUESTIONS.find((one) => one.op === op);
  return question ? `${question.word} ${operandText(lhs, null)}` : null;
}

/** 'Last above 2 and any of (Volume above 100,000 or RSI(14) 1h below 30)'. */
export function logicText(logic: Logic, catalog: Pick<Catalog, 'indicators'> | null): string {
  const textOf = (condition: Condition) =>
    yesNoText(condition) ??
    scanText(condition) ??
    `${operandText(condition.lhs, catalog)} ${wordOf(condition)} ${operandText(condition.rhs, catalog)}`;
  return logic.conditions
    .map((member) => {
      if (!isGroup(member)) return textOf(member);
      const texts = member.conditions.map(textOf);
      return texts.length === 1 ? texts.join() : `any of (${texts.join(' or ')})`;
    })
    .join(' and ');
}
