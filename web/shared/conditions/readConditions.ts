import {
  type Condition,
  type Logic,
  type Operator,
  OPERATORS,
} from '../../../src/domain/conditions/condition.ts';
import { isRecord } from '../../../src/lib/json.ts';
import { readChoice, readMap, readNumber, readRecord, readText } from '../../../src/lib/read.ts';
import type { FieldRef, IndicatorRef, Operand, Ref } from '../../../src/domain/conditions/operand.ts';
import { valueKeyOf, delayOf } from '../../../src/domain/indicators/indicatorKey.ts';
import { checkHtf } from '../../../src/domain/indicators/htfCandle.ts';

const readOperator = readChoice<Operator>(OPERATORS);

const readParamValue = (value: unknown): string | number | null =>
  typeof value === 'number' ? readNumber(value) : readText(value);

function readIndicator(value: unknown): IndicatorRef | null {
  const given = readRecord(value);
  const family = readText(given.family);
  const tf = readText(given.tf);
  const key = readText(given.key);
  if (!family || !tf || !key) return null;
  const params = readMap(given.params, readParamValue);
  return { type: 'indicator', family, params, tf, key, valueKey: valueKeyOf(delayOf(given.valueKey)) };
}

/** A value that is brought for somebody who asks: an indicator, or a price of a higher-timeframe candle. */
export function readRef(value: unknown): Ref | null {
  if (!isRecord(value) || value.type !== 'htf') return readIndicator(value);
  const choice = checkHtf(value);
  return choice && { type: 'htf', ...choice };
}

function readField(value: unknown): FieldRef | null {
  const key = readText(value);
  return key ? { type: 'field', key } : null;
}

/** One side of a condition. A field may be its key alone, a number itself alone (specification 3). */
function readOperand(value: unknown): Operand | null {
  if (typeof value === 'string') return readField(value);
  if (!isRecord(value) || value.type === 'number') {
    const number = readNumber(isRecord(value) ? value.value : value);
    return number === null ? null : { type: 'number', value: number };
  }
  return value.type === 'field' ? readField(value.key ?? value.field) : readRef(value);
}

function readCondition(value: unknown): Condition | null {
  const given = readRecord(value);
  const lhs = readOperand(given.lhs);
  const op = readOperator(given.op);
  const rhs = readOperand(given.rhs);
  return lhs && lhs.type !== 'number' && op && rhs ? { lhs, op, rhs } : null;
}

/**
 * A list of conditions that must all hold.
 * @returns null when one of them can't be read: without it the list would let more through than its owner meant
 */
export function readLogic(value: unknown): Logic | null {
  const { op, conditions } = readRecord(value);
  if (op !== 'AND' || !Array.isArray(conditions)) return null;
  const read = conditions.map(readCondition).filter((condition) => condition !== null);
  return read.length === conditions.length ? { op: 'AND', conditions: read } : null;
}
