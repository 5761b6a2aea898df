import { roundDecimals } from '#lib/numericInput.ts';
import { type Lexicon, lexiconOf, nameAt, type Token } from './lexicon.ts';
import type { Value } from './value.ts';

export type Unit = '$' | 'c' | '%' | 'x' | 'shares' | 'minutes' | 'hours' | 'pips';

export type Quantity = {
  value: number;
  unit: Unit | null;
  /** Power of ten of the word after the number: 6 for "1.5m". */
  power: number;
  /** Set if a hyphen joins the number to the previous word: "below-100" may mean minus. */
  isHyphened?: true;
  next: number;
};

const WORDS: ReadonlyMap<string, string> = new Map([
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, value) => [word, String(value)] as const,
  ),
  ...([
    ['fifteen', '15'],
    ['twenty', '20'],
    ['thirty', '30'],
    ['forty', '40'],
    ['fifty', '50'],
    ['hundred', '100'],
  ] as const),
]);
const POWERS: Lexicon<number> = lexiconOf([
  [3, ['k', 'thousand', 'thousands', 'grand']],
  [6, ['m', 'mil', 'mill', 'mln', 'mio', 'million', 'millions', 'mn']],
  [9, ['b', 'bn', 'bil', 'billion', 'billions']],
]);
const UNITS: Lexicon<Unit> = lexiconOf([
  ['c', ['c', 'cent', 'cents', 'ct', 'cts']],
  ['$', ['dollar', 'dollars', 'bucks', 'aud', '$', 'a$']],
  ['%', ['%', 'percent', 'per cent', 'pct', 'pc']],
  ['x', ['x', 'times', 'fold']],
  ['shares', ['shares', 'units']],
  ['minutes', ['minutes', 'minute', 'mins', 'min']],
  ['hours', ['hours', 'hour', 'hrs']],
  ['pips', ['pips', 'pip', 'ticks', 'tick', 'price steps', 'steps']],
]);
const CURRENCY: Lexicon<true> = lexiconOf([[true, ['$', 'a $', 'au $', 'aud', 'aud $']]]);
const MAX_VALUE = 1e15;
const MAX_DIGITS = 20;

/** Digits, or a number in words; "a dollar" means one. */
function digitsAt(tokens: readonly Token[], at: number): { digits: string; next: number } | null {
  const token = tokens[at];
  if (token?.numbers) {
    const [digits, ...more] = token.numbers;
    return digits !== undefined && more.length === 0 ? { digits, next: at + 1 } : null;
  }
  const word = token && WORDS.get(token.text);
  if (word !== undefined) {
    if (tokens[at + 1]?.text === 'hundred') return { digits: `${word}00`, next: at + 2 };
    return { digits: word, next: at + 1 };
  }
  const after = tokens[at + 1];
  if (token?.text === 'half' && after && nameAt(POWERS, tokens, at + 1))
    return { digits: '0.5', next: at + 1 };
  if (token?.text === 'half' && after?.text === 'cent') return { digits: '0.5', next: at + 1 };
  return token?.text === 'dollar' || token?.text === 'cent' ? { digits: '1', next: at } : null;
}

const isMinus = (token: Token | undefined): boolean => token?.text === '-' || token?.text === 'minus';

/** A number with sign, power and unit; null if there is none. @param isTime whether "m" means minutes */
export function quantityAt(tokens: readonly Token[], at: number, isTime = false): Quantity | null {
  const isNegative = isMinus(tokens[at]);
  const signed = isNegative || tokens[at]?.text === '+' ? at + 1 : at;
  const currency = nameAt(CURRENCY, tokens, signed);
  const number = digitsAt(tokens, currency?.next ?? signed);
  if (!number || number.digits.length > MAX_DIGITS) return null;
  const power = isTime ? null : nameAt(POWERS, tokens, number.next);
  const unit = nameAt(UNITS, tokens, power?.next ?? number.next);
  if (currency && unit && unit.value !== '$') return null;
  // Built as text, because 1.1 × 1e6 has a rounding error.
  const size = Number(`${number.digits}e${(power?.value ?? 0) - (unit?.value === 'c' ? 2 : 0)}`);
  if (!(size <= MAX_VALUE)) return null;
  return {
    value: roundDecimals(isNegative ? -size : size),
    unit: currency ? '$' : (unit?.value ?? null),
    power: power?.value ?? 0,
    ...(tokens[currency?.next ?? signed]?.isHyphened && { isHyphened: true }),
    next: unit?.next ?? power?.next ?? number.next,
  };
}

const TO = new Set(['to', '-', 'and', '&']);

/** Gives a number the unit and power that only the other number of a range has. */
function inUnitsOf(one: Quantity, other: Quantity): Quantity {
  const isCents = one.unit === null && one.power === 0 && other.unit === 'c';
  const power = one.power === 0 ? other.power : 0;
  const value = one.value * 10 ** power * (isCents ? 0.01 : 1);
  return { ...one, value: roundDecimals(value), unit: one.unit ?? other.unit, power: one.power + power };
}

/** Two numbers with a word between them: "5c and 20c", "1 to 5 %". A unit of one also applies to the other. */
export function rangeAt(tokens: readonly Token[], at: number): [Quantity, Quantity] | null {
  const low = quantityAt(tokens, at);
  if (!low || !TO.has(tokens[low.next]?.text ?? '')) return null;
  const high = quantityAt(tokens, low.next + 1);
  if (!high) return null;
  // In "500k to 2,000,000" the second number is complete.
  const isWhole = high.power === 0 && low.power > 0 && high.value > low.value;
  return [inUnitsOf(low, high), isWhole ? { ...high, unit: high.unit ?? low.unit } : inUnitsOf(high, low)];
}

/** A number that fits a kind of value, with a note on how it was read; or why it does not fit. */
export type Fitted = { value: number; note: string | null; isDoubtful?: true } | { why: string };

const ALLOWED: Readonly<Record<string, readonly (Unit | null)[]>> = {
  price: ['$', 'c', null],
  shares: ['shares', null],
  money: ['$', null],
  percent: ['%', null],
  ratio: ['x', '%', null],
  pips: ['pips', null],
  minutes: ['minutes', 'hours', null],
};
const MEASURES: Readonly<Record<string, string>> = {
  price: 'a price in dollars or cents',
  shares: 'a number of shares',
  money: 'an amount in dollars',
  percent: 'a percentage',
  ratio: 'a number of times the usual, such as 2x',
  pips: 'a number of pips',
  minutes: 'a number of minutes',
};
const SCALES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  ...Object.fromEntries(
    ['price', 'shares', 'money', 'ratio', 'minutes', 'of atr'].map((kind) => [
      kind,
      [0, Number.POSITIVE_INFINITY],
    ]),
  ),
  ...Object.fromEntries(
    ['rsi', 'stochastic', 'stoch-rsi-k', 'directional', 'money-flow', 'uo', 'aroon'].map((scale) => [
      `of ${scale}`,
      [0, 100],
    ]),
  ),
  'of w-r': [-100, 0],
  'of chaikin-money-flow': [-1, 1],
};
const NO_MINUS = 'Read without a minus because the hyphen is between a word and a number.';
/** A smaller market cap or turnover in dollars probably lacks a word for millions. */
const MIN_MONEY = 1000;

function fittedMoney({ value, power }: Quantity, name: string): Fitted {
  if (power === 0 && Math.abs(value) < MIN_MONEY && value !== 0) {
    return { why: `How much? ${name} is in dollars. Write for example 500k or 100m.` };
  }
  return { value, note: null };
}

/** Reads a percent sign after a number on an indicator's own scale. */
function fittedPercent({ value }: Quantity, { kind, name }: Pick<Value, 'kind' | 'name'>): Fitted {
  if (Math.max(...(SCALES[kind] ?? [0]).map(Math.abs)) !== 100) {
    return { why: `The number does not fit: ${name} is compared with a plain number.` };
  }
  return { value, note: `Read as ${value} on the scale of ${name}.`, isDoubtful: true };
}

/** @param of the value that is compared with the number */
export function fitted(quantity: Quantity, of: Pick<Value, 'kind' | 'name'>): Fitted {
  const { kind, name } = of;
  const { value, unit, power } = quantity;
  const [min, max] = SCALES[kind] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (value < min || value > max) {
    const scale = Number.isFinite(max) ? `from ${min} to ${max}` : `never below ${min}`;
    return { why: `The number does not fit: ${name} is ${scale}.` };
  }
  if (quantity.isHyphened && min < 0) {
    const fit = fitted({ value, unit, power, next: 0 }, of);
    return 'why' in fit ? fit : { ...fit, note: fit.note ?? NO_MINUS, isDoubtful: true };
  }
  if (unit === '%' && kind.startsWith('of ') && kind !== 'of roc') return fittedPercent(quantity, of);
  const allowed = ALLOWED[kind] ?? (kind === 'of roc' ? ['%', null] : [null]);
  if (!allowed.includes(unit)) {
    const measure = MEASURES[kind] ?? 'a plain number';
    return { why: `The number does not fit: ${name} is compared with ${measure}.` };
  }
  const isScaled = kind === 'money' || kind === 'shares';
  if (power > 0 && !isScaled) return { why: `The number does not fit: it is too large for ${name}.` };
  if (kind === 'money') return fittedMoney(quantity, name);
  if (kind === 'ratio' && unit === '%') {
    const note = 'As a multiple of the usual: 100% is 1.';
    const times = { value: roundDecimals(value / 100), note };
    // A limit below half of the usual volume is unlikely: "3 %" may mean three times the volume.
    return value < 50 ? { ...times, isDoubtful: true } : times;
  }
  if (kind === 'minutes' && unit === 'hours') return { value: value * 60, note: null };
  return { value, note: null };
}
