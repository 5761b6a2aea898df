import type { Operator } from '#subjects/conditions/rules/condition.ts';
import { YES_NO_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import { askedAnswer } from '#subjects/conditions/rules/logicText.ts';
import { scanQuestionOf } from '#subjects/conditions/rules/scanFields.ts';
import { inScanText, rightText, valueText } from './seenText.ts';
import type { SeenCondition } from './trigger.ts';

const SIGNS: Readonly<Record<Operator, string>> = {
  '>': '>',
  '>=': '≥',
  '==': '=',
  '!=': '≠',
  '<=': '≤',
  '<': '<',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
};

const isCrossing = ({ op }: SeenCondition): boolean => op === 'crosses_above' || op === 'crosses_below';

/** '(before 50.48)' behind the left side of a crossing that was evaluated before. */
function beforeText({ left, ...seen }: SeenCondition): string {
  const { before = null } = left;
  return isCrossing({ left, ...seen }) && before !== null ? ` (before ${valueText(left, before)})` : '';
}

/** What a yes or no is, and what was asked for; null for any other condition. */
function yesNoText({ left, op, right }: SeenCondition): string | null {
  if (!YES_NO_FIELDS.some(({ label }) => label === left.text)) return null;
  const asked = right.text === String(right.value) ? askedAnswer(op, right.value) : null;
  if (asked === null) return null;
  const is = left.value === null ? 'not known' : left.value === 1 ? 'yes' : 'no';
  return `${left.text} is ${is}, asked for ${asked}`;
}

/** Where the stock stands of a scan, and what was asked for; null for any other condition. */
function scanText({ left, op, right }: SeenCondition): string | null {
  const question = scanQuestionOf(left.text, op, right.value);
  if (question === null) return null;
  return `${left.text}: the stock is ${inScanText(left.value)}, asked for: ${question.label.toLowerCase()}`;
}

/**
 * The comparison that a condition makes, with the values it saw: 'RSI(14) 1h 71.20 > 70', 'Price-Sensitive Announcement
 * Today is no, asked for yes'.
 */
export const comparisonText = (seen: SeenCondition): string =>
  yesNoText(seen) ??
  scanText(seen) ??
  `${seen.left.text} ${valueText(seen.left, seen.left.value)}${beforeText(seen)} ${SIGNS[seen.op]} ${rightText(seen)}`;

/** How a condition stands that can be waited for: its own value, and the one at which it holds. */
function waitText(seen: SeenCondition): string | null {
  const { left, op, right } = seen;
  if (op === '==' || op === '!=' || left.value === null || right.value === null) return null;
  if (yesNoText(seen) !== null || scanText(seen) !== null) return null;
  return `${valueText(left, left.value)}, waiting for ${rightText(seen)}`;
}

/**
 * A condition as it was seen last, as a trader says it: 'Not yet: 4.15, waiting for 4.17'; 'Met: Last 4.18 > 4.17'.
 * @param isOnly the alert has no other condition, so that nobody asks of which value it speaks
 */
export function standingText(seen: SeenCondition, isOnly: boolean): { answer: string; text: string } {
  if (seen.holds === null) return { answer: 'Not known', text: comparisonText(seen) };
  if (seen.holds) return { answer: 'Met', text: comparisonText(seen) };
  const wait = waitText(seen);
  if (wait === null) return { answer: 'Not yet', text: comparisonText(seen) };
  return { answer: 'Not yet', text: isOnly ? wait : `${seen.left.text} ${wait}` };
}

/** Whether it holds. */
export const answerText = ({ holds }: SeenCondition): 'yes' | 'no' | 'unknown' =>
  holds === null ? 'unknown' : holds ? 'yes' : 'no';
