import type { Operator } from '../condition.ts';
import { comparatorAt, isUnsided, suffixAt, timeframeAfter, timeframeBefore, type Token } from './lexicon.ts';
import { fieldAt, LAST } from './fields.ts';
import { indicatorAt } from './indicators.ts';
import { type Quantity, quantityAt, rangeAt, type Unit } from './quantity.ts';
import {
  compared,
  type Form,
  type Input,
  isRefused,
  type Made,
  pastPreOpen,
  pastToday,
  type Read,
  type Refused,
  type Right,
} from './reading.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import type { Value } from './value.ts';
import { averageVolumeAt } from './volumes.ts';

type Values = { values: Value[]; next: number };

/** The change of another bar than the day's: "weekly change". */
function barChangeAt(tokens: readonly Token[], at: number): Values | null {
  const before = timeframeBefore(tokens, at);
  if (!before || before.tf === 'D' || tokens[before.next]?.text !== 'change') return null;
  const isPercent = tokens[before.next + 1]?.text === '%';
  return {
    values: [changeOf(before.tf)],
    next: before.next + (isPercent ? 2 : 1),
  };
}

/** The change of a timeframe's current bar, percent. */
export const changeOf = (tf: Timeframe): Value => ({
  spec: { type: 'indicator', family: 'change', length: null, tf },
  kind: 'percent',
  name: 'the change of the bar',
  note: null,
});

/** A field, a candle or an indicator at a position; several for a list of lengths. */
function valuesAt(tokens: readonly Token[], at: number): Values | null {
  const isComparing = (place: number): boolean =>
    comparatorAt(tokens, place) !== null || tokens[place]?.text === 'between' || isUnsided(tokens, place);
  const special = averageVolumeAt(tokens, at) ?? barChangeAt(tokens, at);
  if (special) return special;
  const field = fieldAt(tokens, at);
  const indicator = indicatorAt(tokens, at, isComparing);
  if (field && (!indicator || field.next >= indicator.next))
    return { values: [field.value], next: field.next };
  return indicator;
}

/** The timeframe after a whole condition: "on the 15 minute chart". */
const trailing = (tokens: readonly Token[], at: number) =>
  tokens[at]?.text === 'on' ? timeframeAfter(tokens, at) : null;

const PRE_OPEN_FIELDS: ReadonlySet<string> = new Set(['gap_percent', 'match_price', 'match_vol']);

/** ATR in percent is another family. */
function inPercent(lhs: Value): Value {
  if (lhs.spec.type !== 'indicator' || lhs.spec.family !== 'atr') return lhs;
  return { ...lhs, spec: { ...lhs.spec, family: 'atrp' }, kind: 'percent', name: 'ATR %' };
}

function readOf(
  { tokens, context }: Input,
  left: Value,
  rights: readonly { op: Operator; right: Right }[],
  at: number,
): Read | Refused {
  const numbers = rights.flatMap(({ right }) => (right.is === 'quantity' ? right.quantity : []));
  const lhs = numbers.some(({ unit }) => unit === '%') ? inPercent(left) : left;
  const timed = trailing(tokens, at);
  const conditions: Made[] = [];
  for (const { op, right } of rights) {
    const made = compared(context, { lhs, op, right, tf: timed?.tf ?? null });
    if ('why' in made) return made;
    conditions.push(made);
  }
  const isOpening = lhs.spec.type === 'field' && PRE_OPEN_FIELDS.has(lhs.spec.key);
  const next = (isOpening ? pastPreOpen : pastToday)(tokens, timed?.next ?? at);
  const number = numbers.at(-1);
  return { made: conditions, next, subject: lhs, ...(timed && { isTimed: true }), ...(number && { number }) };
}

const LOWER_FIRST = 'Put the lower number of a range first. A unit on only one number applies to both.';

const asRight = (quantity: Quantity): Right => ({ is: 'quantity', quantity });

/** A range gives two conditions: "between 1 and 5". */
function rangeOf(input: Input, lhs: Value, at: number): Read | Refused | null {
  const range = rangeAt(input.tokens, at);
  if (!range) return null;
  const [low, high] = range;
  if (low.value >= high.value) return { why: LOWER_FIRST };
  const rights = [
    { op: '>=' as const, right: asRight(low) },
    { op: '<=' as const, right: asRight(high) },
  ];
  return readOf(input, lhs, rights, high.next);
}

const pastOf = (tokens: readonly Token[], at: number): number => (tokens[at]?.text === 'of' ? at + 1 : at);

/** A number on the right side, with its suffix: "5 % or more". */
function numberOf(input: Input, lhs: Value, op: Operator | null, at: number): Read | Refused | null {
  const { tokens } = input;
  const quantity = quantityAt(tokens, at, lhs.kind === 'minutes');
  if (!quantity) return null;
  const suffix = suffixAt(tokens, quantity.next);
  if (op !== null && suffix) return { why: 'One number has two comparisons.' };
  const comparison = op ?? suffix?.value ?? null;
  if (comparison === null) return { why: 'Should it be above, below or equal to the number?' };
  const right = asRight(quantity);
  return readOf(input, lhs, [{ op: comparison, right }], suffix?.next ?? quantity.next);
}

function doubtful(read: Read | Refused | null, note: string): Read | Refused | null {
  if (!read || isRefused(read)) return read;
  return { ...read, made: read.made.map((one) => ({ ...one, note, isDoubtful: true })) };
}

function noted(read: Read | Refused | null, note: string): Read | Refused | null {
  if (!read || isRefused(read)) return read;
  return { ...read, made: read.made.map((one) => ({ ...one, note: one.note ?? note })) };
}

const A_LIST = 'Read as several averages, one of each length.';

/** The comparison after the left side. */
function comparisonOf(input: Input, lhs: Value, from: number): Read | Refused | null {
  const { tokens } = input;
  const at = pastOf(tokens, from);
  if (tokens[at]?.text === 'between' || tokens[at]?.text === 'from') return rangeOf(input, lhs, at + 1);
  if (isUnsided(tokens, at)) return { why: 'From which side? Say “crosses above” or “crosses below”.' };
  const comparator = comparatorAt(tokens, at);
  if (!comparator) return rangeOf(input, lhs, at) ?? numberOf(input, lhs, null, at);
  const { value: op, next } = comparator;
  const other = valuesAt(tokens, next);
  if (!other) return numberOf(input, lhs, op, next);
  const isUntimed = lhs.spec.type === 'indicator' && lhs.spec.tf === null;
  if (isUntimed && timeframeBefore(tokens, next))
    return { why: 'Which timeframe does the first one use? Give one for both.' };
  const rights = other.values.map((value) => ({ op, right: { is: 'value', value } as const }));
  const read = readOf(input, lhs, rights, other.next);
  // Numbers are a list of lengths only if no comparison follows that they could belong to.
  if (other.values.length === 1 || isRefused(read)) return read;
  if (read.next < tokens.length) return { why: 'It is unclear what the list of numbers belongs to.' };
  return tokens[other.next - 1]?.text.endsWith('s') ? read : doubtful(read, A_LIST);
}

export const comparison: Form = (input, at) => {
  const left = valuesAt(input.tokens, at);
  const [lhs, ...more] = left?.values ?? [];
  if (!left || !lhs || more.length > 0) return null;
  return comparisonOf(input, lhs, left.next);
};

const isLast = (value: Value): boolean => value.spec.type === 'field' && value.spec.key === 'last';
const OF_WHAT = 'Which value? For example “price above 5” or “RSI above 70”.';

const OF_THE_PRICE = 'Read as the price.';
const PLAIN_NUMBER = 'Read as a plain number, although the previous one has a unit.';

/** Whether a number takes the unit of the first one: "above 5c and below 10". */
const lacksUnit = (number: Quantity | undefined, before: Quantity | null): boolean =>
  number !== undefined &&
  number.unit === null &&
  number.power === 0 &&
  before !== null &&
  (before.unit === 'c' || before.power > 0);

/** Reads a comparison whose left side is omitted: the previous value, or the price. */
function withoutLeft(
  input: Input,
  at: number,
  right: { kind: 'price' | 'percent' | null; isMoney: boolean },
) {
  const { carry } = input;
  if (carry && (right.kind === null || carry.kind === right.kind)) {
    const read = comparisonOf(input, carry, at);
    const number = read && !isRefused(read) ? read.number : undefined;
    if (lacksUnit(number, input.carriedNumber)) return doubtful(read, PLAIN_NUMBER);
    if (isLast(carry)) return read;
    const note = `Read as ${carry.name}, from the previous condition.`;
    return carry.kind === 'price' ? doubtful(read, note) : noted(read, note);
  }
  const isCrossing = comparatorAt(input.tokens, at)?.value.startsWith('crosses') === true;
  if (right.kind === null && isCrossing && !carry)
    return doubtful(comparisonOf(input, LAST, at), OF_THE_PRICE);
  if (right.kind !== 'price' || (right.isMoney && carry?.kind === 'money')) return { why: OF_WHAT };
  return comparisonOf(input, LAST, at);
}

/** The kind of value that a number with this unit has; null if the unit does not decide. */
const kindOf = (unit: Unit | null): 'price' | 'percent' | null => {
  if (unit === '$' || unit === 'c') return 'price';
  return unit === '%' ? 'percent' : null;
};

/** A number whose left side is omitted: "under 20c", "below 70". */
function shortNumber(input: Input, at: number, from: number, isRange: boolean): Read | Refused | null {
  const { tokens, carry, isFirst } = input;
  const range = isRange || from === at ? rangeAt(tokens, from) : null;
  const quantity = range?.[1] ?? quantityAt(tokens, from);
  if (!quantity) return null;
  const isBare = from === at;
  if (isBare && !range && !suffixAt(tokens, quantity.next)) return null;
  const kind = kindOf(quantity.unit);
  // In the middle of a segment only the left side "price" may be omitted.
  if (!isFirst && kind !== 'price') return null;
  const isMoney = kind === 'price';
  const isScaled = isMoney && quantity.power > 0;
  if (isScaled && carry?.kind !== 'money') return { why: OF_WHAT };
  return withoutLeft(input, at, { kind: isScaled ? null : kind, isMoney });
}

/** A comparison whose left side is omitted: "above VWAP", "under 20c". */
export const shortComparison: Form = (input, at) => {
  const read = leftOut(input, at);
  return read && !isRefused(read) ? { ...read, isShort: true } : read;
};

const leftOut: Form = (input, at) => {
  const { tokens, isFirst } = input;
  const isRange = tokens[at]?.text === 'between';
  const comparator = comparatorAt(tokens, at);
  const from = isRange ? at + 1 : (comparator?.next ?? at);
  const [value] = (comparator && valuesAt(tokens, from)?.values) ?? [];
  if (!value) return shortNumber(input, at, from, isRange);
  if (!isFirst) return null;
  return withoutLeft(input, at, { kind: value.kind === 'price' ? 'price' : null, isMoney: false });
};
