import {
  type FieldRef,
  type NumberOperand,
  type Operand,
  operandId,
  type Ref,
  type ScanRef,
  type TextOperand,
} from './operand.ts';

export const OPERATORS = ['>', '>=', '==', '!=', '<=', '<', 'crosses_above', 'crosses_below'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Operators for texts: is one of, is none of. */
export const TEXT_OPERATORS: readonly Operator[] = ['==', '!='];

/** Only the right side may be a number (specification, section 3) or a list of texts. */
export type Condition = { lhs: Ref | FieldRef | ScanRef; op: Operator; rhs: Operand };

/** Conditions of which at least one must hold. Groups do not nest. */
export type AnyGroup = { op: 'OR'; conditions: Condition[] };

/** Conditions and groups that must all hold. Without groups it has the form of the specification, section 3. */
export type Logic = { op: 'AND'; conditions: (Condition | AnyGroup)[] };

/** Limits the cost of a user's scan per tick; conditions in groups count too. */
export const MAX_CONDITIONS = 40;
export const MAX_GROUPS = 10;

/** The owner of a list: its name in sentences, and its limits of conditions (groups included) and saved scans. */
export type LogicKind = { noun: string; maxConditions: number; maxScans: number };

export const SCAN_LOGIC: LogicKind = { noun: 'A scan', maxConditions: MAX_CONDITIONS, maxScans: 0 };
export const ALERT_LOGIC: LogicKind = { noun: 'An alert', maxConditions: 20, maxScans: 4 };

export const isGroup = (member: Condition | AnyGroup): member is AnyGroup => member.op === 'OR';

export const conditionsOf = (logic: Logic): Condition[] =>
  logic.conditions.flatMap((member) => (isGroup(member) ? member.conditions : [member]));

/** Operands that are read from a stock. Numbers and texts are not, and a saved scan has its own conditions. */
export type ReadOperand = Exclude<Operand, NumberOperand | TextOperand | ScanRef>;

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
