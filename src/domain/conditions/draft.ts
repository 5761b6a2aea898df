import type { Refusal } from '../../lib/result.ts';
import type { Condition, Logic, Operator } from './condition.ts';
import type { Operand } from './operand.ts';
import { MAX_CONDITIONS } from './condition.ts';

/** The names of the comparisons, in the order they are offered. */
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

/** Which side of a condition is missing, and what to do about it; null when it is whole. */
export function draftRefusal({ lhs, rhs }: DraftCondition): Refusal | null {
  if (!lhs) return { field: 'lhs', message: 'Choose what to compare.' };
  if (!rhs) return { field: 'rhs', message: 'Choose what to compare with, or enter a number.' };
  if (rhs.type === 'number' && !Number.isFinite(rhs.value))
    return { field: 'rhs', message: 'Enter a number.' };
  return null;
}

/** Why the list as a whole can't be saved, whatever its conditions are; null when it can. */
export function listRefusal(conditions: readonly DraftCondition[]): Refusal | null {
  if (conditions.length === 0) return { field: 'conditions', message: 'Add at least one condition.' };
  return conditions.length > MAX_CONDITIONS
    ? { field: 'conditions', message: `A scan has at most ${MAX_CONDITIONS} conditions.` }
    : null;
}

/** Why a list can't be saved, as a whole or because of one of its conditions; null when it can. */
export function conditionsRefusal(conditions: readonly DraftCondition[]): Refusal | null {
  const isComplete = conditions.every((condition) => draftRefusal(condition) === null);
  const incomplete = { field: 'conditions', message: 'Complete the marked conditions.' };
  return listRefusal(conditions) ?? (isComplete ? null : incomplete);
}

/** A condition to add to a list: the last price above something that is still to be chosen. */
export const newCondition = (conditions: readonly DraftCondition[]): DraftCondition => ({
  id: Math.max(-1, ...conditions.map(({ id }) => id)) + 1,
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: null,
});

/** The conditions that are whole already, in the form that is saved. */
export const logicOf = (conditions: readonly DraftCondition[]): Logic => ({
  op: 'AND',
  conditions: conditions.flatMap((draft): Condition[] =>
    draftRefusal(draft) === null && draft.lhs && draft.rhs
      ? [{ lhs: draft.lhs, op: draft.op, rhs: draft.rhs }]
      : [],
  ),
});

/** Saved conditions in the form that is edited. */
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
