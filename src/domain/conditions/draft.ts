import type { Condition, Logic, Operand, Operator } from './condition.ts';
import { MAX_CONDITIONS } from './condition.ts';

/** What the comparisons are called, in the order they are offered. */
export const OPERATOR_LABELS: readonly { id: Operator; label: string }[] = [
  { id: '>', label: '> above' },
  { id: '>=', label: '≥ at or above' },
  { id: '==', label: '= equal to' },
  { id: '!=', label: '≠ not equal to' },
  { id: '<=', label: '≤ at or below' },
  { id: '<', label: '< below' },
  { id: 'crosses_above', label: 'crosses above' },
  { id: 'crosses_below', label: 'crosses below' },
];

/** A condition while it is edited: a side may still be missing. */
export type DraftCondition = {
  /** Stays the same while the list is edited. */
  id: number;
  lhs: Condition['lhs'] | null;
  op: Operator;
  rhs: Operand | null;
};

/** What is missing in a condition; null when it is whole. */
export function draftProblem({ lhs, rhs }: DraftCondition): string | null {
  if (!lhs) return 'Choose what to compare.';
  if (!rhs) return 'Choose what to compare with, or enter a number.';
  if (rhs.type === 'number' && !Number.isFinite(rhs.value)) return 'Enter a number.';
  return null;
}

/** What is wrong with a list as a whole; null when it can be saved, apart from its conditions. */
export function listProblem(conditions: readonly DraftCondition[]): string | null {
  if (conditions.length === 0) return 'Add at least one condition.';
  return conditions.length > MAX_CONDITIONS ? `A scan has at most ${MAX_CONDITIONS} conditions.` : null;
}

/** What keeps a list from being saved, as a whole or in one of its conditions; null when nothing does. */
export function conditionsProblem(conditions: readonly DraftCondition[]): string | null {
  const isComplete = conditions.every((condition) => draftProblem(condition) === null);
  return listProblem(conditions) ?? (isComplete ? null : 'Complete the marked conditions.');
}

/** A condition to add to a list: the last price above something that is still to be chosen. */
export const newCondition = (conditions: readonly DraftCondition[]): DraftCondition => ({
  id: Math.max(-1, ...conditions.map(({ id }) => id)) + 1,
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: null,
});

/** The conditions that are whole already, as a scan. */
export const logicOf = (conditions: readonly DraftCondition[]): Logic => ({
  op: 'AND',
  conditions: conditions.flatMap((draft): Condition[] =>
    draftProblem(draft) === null && draft.lhs && draft.rhs
      ? [{ lhs: draft.lhs, op: draft.op, rhs: draft.rhs }]
      : [],
  ),
});

/** A saved scan as the editor takes it. */
export const draftOf = (logic: Logic): DraftCondition[] =>
  logic.conditions.map((condition, id) => ({ id, ...condition }));

/** The list with the condition at `index` moved up (−1) or down (1); at the ends it stays. */
export function moveCondition<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by;
  const moved = list[index];
  if (moved === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, at) => at !== index);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}
