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

export const TEXT_OPERATOR_LABELS: readonly { id: Operator; label: string }[] = [
  { id: '==', label: '= is one of' },
  { id: '!=', label: '≠ is none of' },
];

/**
 * A condition while it is edited: a side may be missing. The list is flat: a group's conditions are adjacent and share
 * `group`, so a group ends with its last condition.
 */
export type DraftCondition = {
  /** Stays the same while the list is edited. */
  id: number;
  /** The group of the condition; undefined outside groups. */
  group?: number;
  lhs: Condition['lhs'] | null;
  op: Operator;
  rhs: Operand | null;
};

/** A comparison number that is being typed and is not saved yet; NaN if the text is not a number. */
export type TypedNumber = { condition: DraftCondition['id']; value: number };

export const withTyped = (
  conditions: readonly DraftCondition[],
  typed: TypedNumber | null,
): readonly DraftCondition[] =>
  typed === null
    ? conditions
    : conditions.map((one) =>
        one.id === typed.condition ? { ...one, rhs: { type: 'number', value: typed.value } } : one,
      );

/** A scan operand before a scan is chosen. */
export const NO_SCAN: ScanRef = { type: 'scan', id: 0, name: '' };

/** The missing side and what to do; null if the condition is complete. */
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

/** The chosen answer of a yes-or-no condition; null for other conditions and comparisons. */
export const askedOf = ({ lhs, op, rhs }: DraftCondition): 'yes' | 'no' | null =>
  isYesNo(lhs) ? askedAnswer(op, rhs?.type === 'number' ? rhs.value : null) : null;

/** The chosen question of a condition on a scan; null for other conditions and comparisons. */
export const scanAskedOf = ({ lhs, op, rhs }: DraftCondition): ScanQuestion | null =>
  isScan(lhs) && rhs?.type === 'number' && rhs.value === SCAN_BORDER
    ? (SCAN_QUESTIONS.find((question) => question.op === op)?.id ?? null)
    : null;

export const askingScan = (id: ScanQuestion): Pick<DraftCondition, 'op' | 'rhs'> => ({
  op: SCAN_QUESTIONS.find((question) => question.id === id)?.op ?? 'crosses_above',
  rhs: { type: 'number', value: SCAN_BORDER },
});

export const asking = (answer: 'yes' | 'no'): Pick<DraftCondition, 'op' | 'rhs'> => ({
  op: '==',
  rhs: { type: 'number', value: answer === 'yes' ? 1 : 0 },
});

export function listRefusal(
  conditions: readonly DraftCondition[],
  { noun, maxConditions }: LogicKind = SCAN_LOGIC,
): Refusal | null {
  if (conditions.length === 0) return { field: 'conditions', message: 'Add at least one condition.' };
  return conditions.length > maxConditions
    ? { field: 'conditions', message: `${noun} can have at most ${maxConditions} conditions.` }
    : null;
}

export function conditionsRefusal(
  conditions: readonly DraftCondition[],
  kind: LogicKind = SCAN_LOGIC,
): Refusal | null {
  const isComplete = conditions.every((condition) => draftRefusal(condition) === null);
  const incomplete = { field: 'conditions', message: 'Complete the highlighted conditions.' };
  return listRefusal(conditions, kind) ?? (isComplete ? null : incomplete);
}

/**
 * Changes one part of a condition and adapts the others: a sector is compared only with sectors; a yes-or-no field
 * starts with yes, a scan with entering.
 */
export function changeCondition(condition: DraftCondition, part: Partial<DraftCondition>): DraftCondition {
  const next = { ...condition, ...part };
  const wasSector = isSector(condition.lhs);
  const wasYesNo = isYesNo(condition.lhs);
  const wasScan = isScan(condition.lhs);
  // A scanner allows other comparisons; a saved scan does not.
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

/** A new condition: the last price above an operand that the user still has to choose. */
export const newCondition = (conditions: readonly DraftCondition[]): DraftCondition => ({
  id: nextNumber(conditions.map(({ id }) => id)),
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: null,
});

export const newGroup = (conditions: readonly DraftCondition[]): DraftCondition => ({
  ...newCondition(conditions),
  group: nextNumber(conditions.map(({ group }) => group)),
});

export function addToGroup(
  conditions: readonly DraftCondition[],
  group: number,
  added: DraftCondition,
): DraftCondition[] {
  const at = conditions.findLastIndex((condition) => condition.group === group) + 1;
  return [...conditions.slice(0, at), { ...added, group }, ...conditions.slice(at)];
}

export type DraftBlock = { group: number | null; conditions: DraftCondition[] };

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

export const groupCount = (conditions: readonly DraftCondition[]): number =>
  new Set(conditions.flatMap(({ group }) => group ?? [])).size;

const wholeOf = (conditions: readonly DraftCondition[]): Condition[] =>
  conditions.flatMap((draft) =>
    draftRefusal(draft) === null && draft.lhs && draft.rhs
      ? [{ lhs: draft.lhs, op: draft.op, rhs: draft.rhs }]
      : [],
  );

export const logicOf = (conditions: readonly DraftCondition[]): Logic => ({
  op: 'AND',
  conditions: blocksOf(conditions).flatMap((block): Logic['conditions'] => {
    const whole = wholeOf(block.conditions);
    if (block.group === null || whole.length === 0) return whole;
    return [{ op: 'OR', conditions: whole }];
  }),
});

export function draftOf(logic: Logic): DraftCondition[] {
  const drafts: DraftCondition[] = [];
  for (const [index, member] of logic.conditions.entries()) {
    if (!isGroup(member)) drafts.push({ id: drafts.length, ...member });
    else for (const one of member.conditions) drafts.push({ id: drafts.length, ...one, group: index });
  }
  return drafts;
}

/** Moves the condition at `index` up (−1) or down (1), within the list. */
export function moveCondition<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const to = index + by;
  const moved = list[index];
  if (moved === undefined || to < 0 || to >= list.length) return [...list];
  const rest = list.filter((_, at) => at !== index);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** Moves a condition within its group; a condition outside groups moves past whole groups. */
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
