import { isRecord } from '../../lib/json.ts';
import { ok, refuse, type Result } from '../../lib/result.ts';
import { fieldPath, within } from '../fieldPath.ts';
import type { Catalog } from '../indicators/types.ts';
import { quoted } from '../quoted.ts';
import { checkOperand, type FieldRef, type NumberOperand, type Operand, type Ref } from './operand.ts';
import { operandId } from './operandText.ts';

/** The comparisons (specification, section 5). */
export const OPERATORS = ['>', '>=', '==', '!=', '<=', '<', 'crosses_above', 'crosses_below'] as const;
export type Operator = (typeof OPERATORS)[number];

/** Only the right side of a condition may be a number (specification, section 3). */
export type Condition = { lhs: Ref | FieldRef; op: Operator; rhs: Operand };

/** Conditions that must all hold. */
export type Logic = { op: 'AND'; conditions: Condition[] };

/** Bounds what one user's scan costs at each tick; no scan of a person comes near it. */
export const MAX_CONDITIONS = 40;

function checkCondition(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Condition> {
  if (!isRecord(sent)) return refuse('A condition needs two sides and a comparison.');
  const op = OPERATORS.find((operator) => operator === sent['op']);
  if (!op) return refuse(`The comparison "${quoted(sent['op'])}" is not known.`, 'op');
  const lhs = within('lhs', checkOperand(catalog, sent['lhs']));
  if (!lhs.ok) return lhs;
  if (lhs.value.type === 'number') {
    return refuse('The left side of a condition is an indicator or a field.', 'lhs');
  }
  const rhs = within('rhs', checkOperand(catalog, sent['rhs']));
  return rhs.ok ? ok({ lhs: lhs.value, op, rhs: rhs.value }) : rhs;
}

/**
 * Checks a list of conditions that must all hold.
 * @returns the list in its one form; or a refusal whose field names the condition and its member, e.g.
 *   'conditions[1].rhs.tf'
 */
export function checkLogic(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Logic> {
  const list = isRecord(sent) ? sent['conditions'] : undefined;
  if (!isRecord(sent) || sent['op'] !== 'AND' || !Array.isArray(list)) {
    return refuse('A scan is a list of conditions joined by AND.', 'conditions');
  }
  if (list.length > MAX_CONDITIONS) {
    return refuse(`A scan has at most ${MAX_CONDITIONS} conditions.`, 'conditions');
  }
  const conditions: Condition[] = [];
  for (const [index, item] of (list as unknown[]).entries()) {
    const checked = checkCondition(catalog, item);
    if (!checked.ok) {
      const { field, message } = checked.error;
      return refuse(`Condition ${index + 1}: ${message}`, fieldPath(`conditions[${index}]`, field));
    }
    conditions.push(checked.value);
  }
  return ok({ op: 'AND', conditions });
}

/** The values that conditions read, each once, in the order they appear; numbers are left out. */
export function operandsOf(logic: Logic): Exclude<Operand, NumberOperand>[] {
  const found = new Map<string, Exclude<Operand, NumberOperand>>();
  for (const { lhs, rhs } of logic.conditions) {
    for (const operand of [lhs, rhs]) if (operand.type !== 'number') found.set(operandId(operand), operand);
  }
  return [...found.values()];
}
