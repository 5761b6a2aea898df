import {
  anyOf,
  choice,
  type Field,
  integer,
  list,
  map,
  named,
  nothing,
  number,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { isRecord } from '#lib/json.ts';
import {
  readChoice,
  readCount,
  type Reader,
  readList,
  readMap,
  readNumber,
  readRecord,
  readText,
} from '#lib/read.ts';
import {
  checkHtfOrYear,
  delayOf,
  HTF_FIELDS,
  HTF_PERIODS,
  valueKeyOf,
  YEAR,
} from '#market/indicators/rules/indicatorKey.ts';
import {
  type AnyGroup,
  type Condition,
  type Logic,
  type Operator,
  OPERATORS,
  TEXT_OPERATORS,
} from '../rules/condition.ts';
import {
  type FieldRef,
  type IndicatorRef,
  isSector,
  type Operand,
  type Ref,
  type ScanRef,
  type TextOperand,
} from '../rules/operand.ts';

const unread = () => null;

const indicatorRef = object({
  type: choice(['indicator']),
  family: text,
  params: map(anyOf([text, number, nothing], unread)),
  tf: text,
  key: optional(described(text, 'Derived from the parameters.')),
  valueKey: described(text, '`now`, or the number of bars back.'),
});
const htfRef = object({
  type: choice(['htf']),
  period: described(
    choice([...HTF_PERIODS, YEAR]),
    '`52W` has only high and low: those of the 52 weeks before today.',
  ),
  field: choice(HTF_FIELDS),
});
const fieldRef = object({ type: choice(['field']), key: text });
const scanRef = described(
  object({
    type: choice(['scan']),
    id: integer,
    name: optional(described(text, 'Set by the server; ignored in requests.')),
  }),
  'A saved scan of yours, in alerts only, at most four per alert. Compare it with 0.5: `crosses_above` enters the scan, ' +
    '`crosses_below` leaves it, `>` is in it, `<` is not in it.',
);
const numberOperand = object({ type: choice(['number']), value: number });
const textOperand = object({ type: choice(['text']), values: list(text) });
const condition = object({
  lhs: anyOf([indicatorRef, htfRef, fieldRef, scanRef], unread),
  op: choice(OPERATORS),
  rhs: anyOf([indicatorRef, htfRef, fieldRef, numberOperand, textOperand], unread),
});
const anyGroup = object({ op: choice(['OR']), conditions: list(condition) });
const allOf = object({ op: choice(['AND']), conditions: list(anyOf([condition, anyGroup], unread)) });

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

/** Reads an indicator or a price of a higher-timeframe candle, which are delivered on request. */
export function readRef(value: unknown): Ref | null {
  if (!isRecord(value) || value.type !== 'htf') return readIndicator(value);
  const chosen = checkHtfOrYear(value);
  return chosen && { type: 'htf', ...chosen };
}

function readField(value: unknown): FieldRef | null {
  const key = readText(value);
  return key ? { type: 'field', key } : null;
}

function readTexts(value: unknown): TextOperand | null {
  const values = readAll(value, readText);
  return values && values.length > 0 ? { type: 'text', values } : null;
}

export function readScanRef({ id, name }: Readonly<Record<string, unknown>>): ScanRef | null {
  const own = readCount(id);
  return own === null ? null : { type: 'scan', id: own, name: readText(name) ?? '' };
}

/** Reads an operand. A field may be sent as its key, a number as itself (specification 3). */
function readOperand(value: unknown): Operand | null {
  if (typeof value === 'string') return readField(value);
  if (!isRecord(value) || value.type === 'number') {
    const known = readNumber(isRecord(value) ? value.value : value);
    return known === null ? null : { type: 'number', value: known };
  }
  if (value.type === 'text') return readTexts(value.values);
  if (value.type === 'scan') return readScanRef(value);
  return value.type === 'field' ? readField(value.key ?? value.field) : readRef(value);
}

function readCondition(value: unknown): Condition | null {
  const given = readRecord(value);
  const lhs = readOperand(given.lhs);
  const op = readOperator(given.op);
  const rhs = readOperand(given.rhs);
  if (!lhs || lhs.type === 'number' || lhs.type === 'text' || !op || !rhs || rhs.type === 'scan') return null;
  const isFitting = isSector(lhs) ? rhs.type === 'text' && TEXT_OPERATORS.includes(op) : rhs.type !== 'text';
  return isFitting ? { lhs, op, rhs } : null;
}

/** Reads all members; null if the value is not a list, or if any member is unreadable. */
function readAll<T>(value: unknown, read: Reader<T>): T[] | null {
  const members = readList(value, read);
  return Array.isArray(value) && members.length === value.length ? members : null;
}

function readMember(value: unknown): Condition | AnyGroup | null {
  const { op, conditions } = readRecord(value);
  if (op !== 'OR') return readCondition(value);
  const members = readAll(conditions, readCondition);
  return members && members.length > 0 ? { op, conditions: members } : null;
}

/** @returns null if any condition is unreadable, because without it the list would match more */
export function readLogic(value: unknown): Logic | null {
  const { op, conditions } = readRecord(value);
  const read = op === 'AND' ? readAll(conditions, readMember) : null;
  return read && { op: 'AND', conditions: read };
}

export const ref: Field<Ref> = {
  form: named('Ref', anyOf([indicatorRef, htfRef], unread)).form,
  read: readRef,
};
export const logic: Field<Logic> = { form: named('Logic', allOf).form, read: readLogic };

/** A model's reading of a phrase: conditions to confirm, and the parts that the model could not read. */
export const phraseAnswer = object(
  {
    proposals: list(object({ logic, said: words }, ['logic', 'said'])),
    missed: list(object({ said: text, why: words }, ['said', 'why'])),
  },
  ['proposals', 'missed'],
);
