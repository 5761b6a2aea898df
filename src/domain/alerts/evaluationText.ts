import type { Operator } from '../conditions/condition.ts';
import { rightText, valueText } from './seenText.ts';
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

/** The comparison that a condition makes, with the values it saw: 'RSI(14) 1h 71.20 > 70'. */
export const comparisonText = (seen: SeenCondition): string =>
  `${seen.left.text} ${valueText(seen.left, seen.left.value)}${beforeText(seen)} ${SIGNS[seen.op]} ${rightText(seen)}`;

/** Whether it holds. */
export const answerText = ({ holds }: SeenCondition): 'yes' | 'no' | 'unknown' =>
  holds === null ? 'unknown' : holds ? 'yes' : 'no';
