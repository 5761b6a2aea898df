import {
  type FieldRef,
  type NumberOperand,
  type Operand,
  operandId,
  type Ref,
  type ScanRef,
  type TextOperand,
} from './operand.ts';

/** The comparisons (specification, section 5). */
export const OPERATORS = ['>', '>=', '==', '!=', '<=', '<', 'crosses_above', 'crosses_below'] as const;
export type Operator = (typeof OPERATORS)[number];

/** The comparisons of a text: is one of, is none of. */
export const TEXT_OPERATORS: readonly Operator[] = ['==', '!='];

/** Only the right side of a condition may be a number (specification, section 3) or a list of texts. */
export type Condition = { lhs: Ref | FieldRef | ScanRef; op: Operator; rhs: Operand };

/** Conditions of which at least one must hold; it holds no further groups. */
export type AnyGroup = { op: 'OR'; conditions: Condition[] };

/** Conditions and groups that must all hold. Without a group it is the form of the specification, section 3. */
export type Logic = { op: 'AND'; conditions: (Condition | AnyGroup)[] };

/** Bounds what one user's scan costs at each tick, groups included; no scan of a person comes near it. */
export const MAX_CONDITIONS = 40;
export const MAX_GROUPS = 10;

/**
 * What a list of conditions belongs to, as sentences call it, how many it may have, groups included, and how many saved
 * scans it may read.
 */
export type LogicKind = { noun: string; maxConditions: number; maxScans: number };

export const SCAN_LOGIC: LogicKind = { noun: 'A scan', maxConditions: MAX_CONDITIONS, maxScans: 0 };
export const ALERT_LOGIC: LogicKind = { noun: 'An alert', maxConditions: 20, maxScans: 4 };

export const isGroup = (member: Condition | AnyGroup): member is AnyGroup => member.op === 'OR';

/** Every condition, those of groups included, in the order they appear. */
export const conditionsOf = (logic: Logic): Condition[] =>
  logic.conditions.flatMap((member) => (isGroup(member) ? member.conditions : [member]));

/** What is read off a stock: neither numbers nor texts, nor saved scans, which have conditions of their own. */
export type ReadOperand = Exclude<Operand, NumberOperand | TextOperand | ScanRef>;

/** The values that conditions read, each once, in the order they appear. */
export function operandsOf(logic: Logic): ReadOperand[] {
  const found = new Map<string, ReadOperand>();
  for (const { lhs, rhs } of conditionsOf(logic)) {
    for (const operand of [lhs, rhs]) {
      if (operand.type === 'number' || operand.type === 'text' || operand.type === 'scan') continue;
      found.set(operandId(operand), operand);
    }
  }
  return [...found.values()];
}
