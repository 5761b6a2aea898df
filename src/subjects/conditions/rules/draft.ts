import type { Refusal } from '#lib/result.ts';
import {
  type Condition,
  isGroup,
  type Logic,
  type LogicKind,
  type Operator,
  SCAN_LOGIC,
  TEXT_OPERATORS,
} from './condition.ts';
import { askedAnswer } from './logicText.ts';
import { isScan, isSector, isYesNo, type Operand, type ScanRef } from './operand.ts';
import { SCAN_BORDER, SCAN_QUESTIONS, type ScanQuestion } from './scanFields.ts';

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

/** The names of the comparisons of a text. */
export const TEXT_OPERATOR_LABELS: readonly { id: Operator; label: string }[] = [
  { id: '==', label: '= is one of' },
  { id: '!=', label: '≠ is none of' },
];

/**
 * A condition while it is edited: a side may still be missing. The list is flat: conditions of one group stand together
 * and have the same `group`, so that a group is gone with its last condition.
 */
export type DraftCondition = {
  /** Stays the same while the list is edited. */
  id: number;
  /** The group of which one condition must hold; undefined for a condition that must hold by itself. */
  group?: number;
  lhs: Condition['lhs'] | null;
  op: Operator;
  rhs: Operand | null;
};

/** A number that a condition is to be compared with, while it is under the cursor: not a change yet. NaN for no number. */
export type TypedNumber = { condition: DraftCondition['id']; value: number };

/** The conditions as they would be with the number under the cursor. */
export const withTyped = (
  conditions: readonly DraftCondition[],
  typed: TypedNumber | null,
): readonly DraftCondition[] =>
  typed === null
    ? conditions
    : conditions.map((one) =>
        one.id === typed.condition ? { ...one, rhs: { type: 'number', value: typed.value } } : one,
      );

/** A saved scan that is still to be chosen. */
export const NO_SCAN: ScanRef = { type: 'scan', id: 0, name: '' };

/** Which side of a condition is missing, and what to do about it; null when it is whole. */
export function draftRefusal({ lhs, rhs }: DraftCondition): Refusal | null {
  if (!lhs) return { field: 'lhs', message: 'Choose what to compare.' };
  if (lhs.type === 'scan' && lhs.id === NO_SCAN.id) return { field: 'lhs', message: 'Choose a saved scan.' };
  if (isSector(lhs)) {
    return rhs?.type === 'text' && rhs.values.length > 0
      ? null
      : { field: 'rhs', message: 'Choose at least one sector.' };
  }
  if (!rhs) return { field: 'rhs', message: 'Choose what to compare with, or enter a number.' };
  if (rhs.type === 'number' && !Number.isFinite(rhs.value))
    return { field: 'rhs', message: 'Enter a number.' };
  return null;
}

/**
 * What a condition on a yes or no asks for, so that people choose between the two words; null for any other, also for one
 * that compares a yes or no in another way.
 */
export const askedOf = ({ lhs, op, rhs }: DraftCondition): 'yes' | 'no' | null =>
  isYesNo(lhs) ? askedAnswer(op, rhs?.type === 'number' ? rhs.value : null) : null;

/** What a condition on a scan asks for; null for any other, also for one that compares a scan in another way. */
export const scanAskedOf = ({ lhs, op, rhs }: DraftCondition): ScanQuestion | null =>
  isScan(lhs) && rhs?.type === 'number' && rhs.value === SCAN_BORDER
    ? (SCAN_QUESTIONS.find((question) => question.op === op)?.id ?? null)
    : null;

/** The part of a condition on a scan that asks for one thing. */
export const askingScan = (id: ScanQuestion): Pick<DraftCondition, 'op' | 'rhs'> => ({
  op: SCAN_QUESTIONS.find((question) => question.id === id)?.op ?? 'crosses_above',
  rhs: { type: 'number', value: SCAN_BORDER },
});

/** The part of a condition on a yes or no that asks for one of them. */
export const asking = (answer: 'yes' | 'no'): Pick<DraftCondition, 'op' | 'rhs'> => ({
  op: '==',
  rhs: { type: 'number', value: answer === 'yes' ? 1 : 0 },
});

/** Why the list as a whole can't be saved, whatever its conditions are; null when it can. */
export function listRefusal(
  conditions: readonly DraftCondition[],
  { noun, maxConditions }: LogicKind = SCAN_LOGIC,
): Refusal | null {
  if (conditions.length === 0) return { field: 'conditions', message: 'Add at least one condition.' };
  return conditions.length > maxConditions
    ? { field: 'conditions', message: `${noun} has at most ${maxConditions} conditions.` }
    : null;
}

/** Why a list can't be saved, as a whole or because of one of its conditions; null when it can. */
export function conditionsRefusal(
  conditions: readonly DraftCondition[],
  kind: LogicKind = SCAN_LOGIC,
): Refusal | null {
  const isComplete = conditions.every((condition) => draftRefusal(condition) === null);
  const incomplete = { field: 'conditions', message: 'Complete the marked conditions.' };
  return listRefusal(conditions, kind) ?? (isComplete ? null : incomplete);
}

/**
 * A condition after a change of one part, its other parts made to fit: a sector is compared with sectors only, and a yes
 * or no begins as a question for yes, one on a scan as a question for who enters.
 */
export function changeCondition(condition: DraftCondition, part: Partial<DraftCondition>): DraftCondition {
  const next = { ...condition, ...part };
  const wasSector = isSector(condition.lhs);
  const wasYesNo = isYesNo(condition.lhs);
  const wasScan = isScan(condition.lhs);
  // A scanner may be compared in other ways, a saved scan may not.
  if (next.lhs?.type === 'scan' && scanAskedOf(next) === null) return { ...next, ...askingScan('enters') };
  if (isSector(next.lhs) === wasSector && isYesNo(next.lhs) === wasYesNo && isScan(next.lhs) === wasScan)
    return next;
  if (isScan(next.lhs)) return { ...next, ...askingScan('enters') };
  if (isYesNo(next.lhs)) return { ...next, ...asking('yes') };
  if (!isSector(next.lhs)) return { ...next, op: wasYesNo || wasScan ? '>' : next.op, rhs: null };
  return {
    ...next,
    op: TEXT_OPERATORS.includes(next.op) ? next.op : '==',
    rhs: { type: 'text', values: [] },
  };
}

const nextNumber = (taken: readonly (number | undefined)[]): number =>
  Math.max(-1, ...taken.map((one) => one ?? -1)) + 1;

/** A condition to add to a list: the last price above something that is still to be chosen. */
export const newCondition = (conditions: readonly DraftCondition[]): DraftCondition => ({
  id: nextNumber(conditions.map(({ id }) => id)),
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: null,
});

/** The first condition of a group that the list does not have yet. */
export const newGroup = (conditions: readonly DraftCondition[]): DraftCondition => ({
  ...newCondition(conditions),
  group: nextNumber(conditions.map(({ group }) => group)),
});

/** The list with a condition put at the end of a group. */
export function addToGroup(
  conditions: readonly DraftCondition[],
  group: number,
  added: DraftCondition,
): DraftCondition[] {
  const at = conditions.findLastIndex((condition) => condition.group === group) + 1;
  return [...conditions.slice(0, at), { ...added, group }, ...conditions.slice(at)];
}

/** What stands side by side and must hold: a condition, or the conditions of a group. */
export type DraftBlock = { group: number | null; conditions: DraftCondition[] };

/** A flat list as blocks, in order. */
export function blocksOf(conditions: readonly DraftCondition[]): DraftBlock[] {
  const blocks: DraftBlock[] = [];
  for (const condition of conditions) {
    const { group = null } = condition;
    const before = blocks.at(-1);
    if (group !== null && before?.group === group) before.conditions.push(condition);
    else blocks.push({ group, conditions: [condition] });
  }
  return blocks;
}

/** How many groups a list has. */
export const groupCount = (conditions: readonly DraftCondition[]): number =>
  new Set(conditions.flatMap(({ group }) => group ?? [])).size;

const wholeOf = (conditions: readonly DraftCondition[]): Condition[] =>
  conditions.flatMap((draft) =>
    draftRefusal(draft) === null && draft.lhs && draft.rhs
      ? [{ lhs: draft.lhs, op: draft.op, rhs: draft.rhs }]
      : [],
  );

/** The conditions that are whole already, in the form that is saved. */
export const logicOf = (conditions: readonly DraftCondition[]): Logic => ({
  op: 'AND',
  conditions: blocksOf(conditions).flatMap((block): Logic['conditions'] => {
    const whole = wholeOf(block.conditions);
    if (block.group === null || whole.length === 0) return whole;
    return [{ op: 'OR', conditions: whole }];
  }),
});

/** Saved conditions in the form that is edited. */
export function draftOf(logic: Logic): DraftCondition[] {
  const drafts: DraftCondition[] = [];
  for (const [index, member] of logic.conditions.entries()) {
    if (!isGroup(member)) drafts.push({ id: drafts.length, ...member });
    else for (const one of member.conditions) drafts.push({ id: drafts.length, ...one, group: index });
  }
  return drafts;
}

/** The list with the condition at `index` moved up (−1) or down (1); at the ends it stays. */
export function moveCondition<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by;
  const moved = list[index];
  if (moved === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, at) => at !== index);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** The list with a condition moved inside its group; one that stands alone moves past whole groups. */
export function moveInBlocks(
  conditions: readonly DraftCondition[],
  id: number,
  by: -1 | 1,
): readonly DraftCondition[] {
  const blocks = blocksOf(conditions);
  const at = blocks.findIndex((block) => block.conditions.some((one) => one.id === id));
  const block = blocks[at];
  if (!block) return conditions;
  if (block.group === null) return moveCondition(blocks, at, by).flatMap((one) => one.conditions);
  const within = block.conditions.findIndex((one) => one.id === id);
  const moved = { ...block, conditions: moveCondition(block.conditions, within, by) };
  return blocks.with(at, moved).flatMap((one) => one.conditions);
}
