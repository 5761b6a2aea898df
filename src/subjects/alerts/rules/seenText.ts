import { lookUp } from '#lib/json.ts';
import { ALL_COLUMNS, type ColumnKind, DECIMALS } from '#market/scanners/rules/columns.ts';
import type { Operator } from '#subjects/conditions/rules/condition.ts';
import { CONDITION_FIELDS, YES_NO_FIELDS } from '#subjects/conditions/rules/conditionFields.ts';
import { askedAnswer, OPERATOR_WORDS } from '#subjects/conditions/rules/logicText.ts';
import { operandText, YEAR_REFS } from '#subjects/conditions/rules/operand.ts';
import { scanNameOf, scanQuestionOf } from '#subjects/conditions/rules/scanFields.ts';
import { DASH, formatNumber, formatSigned } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { SeenCondition, SeenSide } from './trigger.ts';

/** Only a list of sectors can be this long. */
const MAX_SIDE = 80;

/** Kinds of fields that are not columns of any table. */
const FURTHER_KINDS: Readonly<Partial<Record<string, ColumnKind>>> = {
  gap_percent: 'percent',
  day_range: 'percent',
  minutes_since_open: 'volume',
  ...Object.fromEntries(YES_NO_FIELDS.map(({ key }) => [key, 'volume' as const])),
};

function kindOfField(key: string): ColumnKind {
  const column = ALL_COLUMNS.find(({ id }) => id === key);
  return column?.kind ?? lookUp(FURTHER_KINDS, key) ?? 'indicator';
}

const KINDS: ReadonlyMap<string, ColumnKind> = new Map([
  ...CONDITION_FIELDS.map(({ key, label }) => [label, kindOfField(key)] as const),
  ...YEAR_REFS.map((ref) => [operandText(ref, null), 'price'] as const),
]);

/** The kind of a side. A label that is not a field's belongs to an indicator or a candle. */
const kindOf = (side: SeenSide): ColumnKind => KINDS.get(side.text) ?? 'indicator';

const numberText = (value: number): string => operandText({ type: 'number', value }, null);

const isTyped = (side: SeenSide): boolean =>
  side.value !== null && !KINDS.has(side.text) && side.text === numberText(side.value);

/** In cents, or tenths of a cent if the price has them: '50.61', '1.505', '0.004'. @param value AUD; a dash for null */
export function priceText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return DASH;
  const hasTenths = Math.abs(value) < 2 || Math.abs(value * 100 - Math.round(value * 100)) > 0.05;
  return formatNumber(value, hasTenths ? DECIMALS.price : 2);
}

/** A value with the decimals of its side's kind (specification, section 9); a percentage has a sign. */
function valueText(side: SeenSide, value: number | null): string {
  const kind = kindOf(side);
  if (kind === 'price') return priceText(value);
  const text = formatNumber(value, DECIMALS[kind]);
  return kind === 'percent' && value !== null ? `${text}%` : text;
}

/** A typed number with its decimals; next to a price, at least those of prices. */
function typedText(side: SeenSide, other: SeenSide): string {
  const own = side.text;
  if (kindOf(other) !== 'price' || side.value === null) return own;
  const price = priceText(side.value);
  return price.length > own.length ? price : own;
}

/** An operand's name in a sentence: 'Last' becomes 'last'; 'P. Close' and 'RSI(14) 1h' stay. */
function nameOf(side: SeenSide): string {
  const name = plainLine(side.text, MAX_SIDE);
  return KINDS.has(side.text) && /^[A-Z][a-z]{1,20}$/.test(name) ? name.toLowerCase() : name;
}

const isCrossing = ({ op }: SeenCondition): boolean => op === 'crosses_above' || op === 'crosses_below';

/** Whether a condition compares texts, which have no numbers. */
const isOfTexts = ({ left, right }: SeenCondition): boolean =>
  /^Sector(?: |$)/.test(left.text) && left.value === null && right.value === null;

function textsText({ left, op, right }: SeenCondition): string {
  return `${nameOf(left)} ${op === '==' ? 'is' : 'is not'} ${plainLine(right.text, MAX_SIDE)}`;
}

/** 'price-sensitive announcement today', or its negation; null for any other condition. */
function yesNoText({ left, op, right }: SeenCondition): string | null {
  const field = YES_NO_FIELDS.find(({ label }) => label === left.text);
  const answer = field ? askedAnswer(op, isTyped(right) ? right.value : null) : null;
  return field && answer ? field[answer] : null;
}

/** 'entered Pre-Market Scan', 'entered Breakouts'; null unless the condition is on a scan. */
function scanText({ left, op, right }: SeenCondition): string | null {
  const question = scanQuestionOf(left.text, op, right.value);
  return question && `${question.seen} ${plainLine(scanNameOf(left.text), MAX_SIDE)}`;
}

/** 'up 6.7%', 'Gap +0.9%', without the limit; null for any other condition. */
function moveText({ left: { text, value }, op, right }: SeenCondition): string | null {
  if (value === null || !isTyped(right) || !/^[<>]/.test(op)) return null;
  if (text === 'Gap %') return `Gap ${formatSigned(value, DECIMALS.percent)}%`;
  if (text !== 'Change %' || value === 0) return null;
  return `${value > 0 ? 'up' : 'down'} ${formatNumber(Math.abs(value), DECIMALS.percent)}%`;
}

/** @param value 1 in the scan, 0 out of it; null if unknown */
const inScanText = (value: number | null): string =>
  value === null ? 'not known' : value === 1 ? 'in it' : 'not in it';

/** 'enters my scan Breakouts: in it (before not in it)'; null unless the condition is on a scan. */
function scanInFull({ left, op, right }: SeenCondition): string | null {
  const question = scanQuestionOf(left.text, op, right.value);
  if (question === null) return null;
  const before = left.before === undefined ? '' : ` (before ${inScanText(left.before)})`;
  return `${question.word} ${plainLine(left.text, MAX_SIDE)}: ${inScanText(left.value)}${before}`;
}

/** A number as typed, or the operand and its value. */
function rightText({ left, right }: SeenCondition): string {
  return isTyped(right) ? typedText(right, left) : `${nameOf(right)} ${valueText(right, right.value)}`;
}

/**
 * A condition in a message: 'last crossed above 50.50', 'volume 520,400 above 500,000', 'RSI(14) 1h 71.20 crossed above
 * 70'. A crossing of the last price omits its value, because the title has it.
 */
export function seenText(seen: SeenCondition): string {
  if (isOfTexts(seen)) return textsText(seen);
  const answered = yesNoText(seen) ?? scanText(seen) ?? moveText(seen);
  if (answered !== null) return answered;
  const word = OPERATOR_WORDS[seen.op].replace(/^crosses/, 'crossed');
  const hasValue = !(isCrossing(seen) && seen.left.text === 'Last');
  const left = hasValue ? `${nameOf(seen.left)} ${valueText(seen.left, seen.left.value)}` : nameOf(seen.left);
  return `${left} ${word} ${rightText(seen)}`;
}

/** 'last 50.61 (before 50.48)'; only crossings have the part in brackets. */
function sideWithBefore(side: SeenSide, other: SeenSide): string {
  if (isTyped(side)) return typedText(side, other);
  const before = side.before === undefined ? '' : ` (before ${valueText(side, side.before)})`;
  return `${nameOf(side)} ${valueText(side, side.value)}${before}`;
}

/**
 * A condition with all values and its result: 'Yes: last 50.61 (before 50.48) crosses above 50.50'; 'Not checked' if a
 * value was unknown.
 */
export function seenInFull(seen: SeenCondition): string {
  const answer = seen.holds === null ? 'Not checked' : seen.holds ? 'Yes' : 'No';
  if (isOfTexts(seen)) return `${answer}: ${textsText(seen)}`;
  const answered = yesNoText(seen) ?? scanInFull(seen);
  if (answered !== null) return `${answer}: ${answered}`;
  const { left, op, right } = seen;
  return `${answer}: ${sideWithBefore(left, right)} ${OPERATOR_WORDS[op]} ${sideWithBefore(right, left)}`;
}

const SIGNS: Readonly<Record<Operator, string>> = {
  '>': '>',
  '>=': '≥',
  '==': '=',
  '!=': '≠',
  '<=': '≤',
  '<': '<',
  crosses_above: 'crosses above',
  crosses_below: 'crosses below',
};

/** '(before 50.48)' after the left side of a crossing with previous values. */
function beforeText({ left, ...seen }: SeenCondition): string {
  const { before = null } = left;
  return isCrossing({ left, ...seen }) && before !== null ? ` (before ${valueText(left, before)})` : '';
}

/** A yes-or-no value and the expected answer; null for other conditions. */
function yesNoHoldText({ left, op, right }: SeenCondition): string | null {
  if (!YES_NO_FIELDS.some(({ label }) => label === left.text)) return null;
  const asked = right.text === String(right.value) ? askedAnswer(op, right.value) : null;
  if (asked === null) return null;
  const is = left.value === null ? 'not known' : left.value === 1 ? 'yes' : 'no';
  return `${left.text} is ${is}, expected ${asked}`;
}

/** Whether the stock is in the scan and whether it should be; null unless the condition is on a scan. */
function scanHoldText({ left, op, right }: SeenCondition): string | null {
  const question = scanQuestionOf(left.text, op, right.value);
  if (question === null) return null;
  return `${left.text}: the stock is ${inScanText(left.value)}, expected: ${question.label.toLowerCase()}`;
}

/** A comparison with its values: 'RSI(14) 1h 71.20 > 70', 'Price-Sensitive Announcement Today is no, expected yes'. */
export const comparisonText = (seen: SeenCondition): string =>
  yesNoHoldText(seen) ??
  scanHoldText(seen) ??
  `${seen.left.text} ${valueText(seen.left, seen.left.value)}${beforeText(seen)} ${SIGNS[seen.op]} ${rightText(seen)}`;

function waitText(seen: SeenCondition): string | null {
  const { left, op, right } = seen;
  if (op === '==' || op === '!=' || left.value === null || right.value === null) return null;
  if (yesNoHoldText(seen) !== null || scanHoldText(seen) !== null) return null;
  return `${valueText(left, left.value)}, waiting for ${rightText(seen)}`;
}

/**
 * The last evaluation in a trader's words: 'Not yet: 4.15, waiting for 4.17'; 'Met: Last 4.18 > 4.17'.
 * @param isOnly whether this is the alert's only condition, so that its value needs no name
 */
export function statusText(seen: SeenCondition, isOnly: boolean): { answer: string; text: string } {
  if (seen.holds === null) return { answer: 'Not known', text: comparisonText(seen) };
  if (seen.holds) return { answer: 'Met', text: comparisonText(seen) };
  const wait = waitText(seen);
  if (wait === null) return { answer: 'Not yet', text: comparisonText(seen) };
  return { answer: 'Not yet', text: isOnly ? wait : `${seen.left.text} ${wait}` };
}

export const answerText = ({ holds }: SeenCondition): 'yes' | 'no' | 'unknown' =>
  holds === null ? 'unknown' : holds ? 'yes' : 'no';
