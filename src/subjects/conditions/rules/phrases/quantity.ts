import { roundDecimals } from '../../../../lib/numericInput.ts';
import { type Lexicon, lexiconOf, nameAt } from './lexicon.ts';
import type { Token } from './tokens.ts';
import type { Value } from './value.ts';

export type Unit = '$' | 'c' | '%' | 'x' | 'shares' | 'minutes' | 'hours' | 'pips';

/** A number as it was written. */
export type Quantity = {
  value: number;
  unit: Unit | null;
  /** Powers of ten of a word behind it: 6 for "1.5m". */
  power: number;
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
/** As much as anybody compares with. */
const MAX_VALUE = 1e15;
const MAX_DIGITS = 20;

/** Digits, or a number in words; a dollar is one. */
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

/** A number with its sign, power and unit; null when none stands there. @param isTime "m" stands for minutes */
export function quantityAt(tokens: readonly Token[], at: number, isTime = false): Quantity | null {
  const isNegative = isMinus(tokens[at]);
  const signed = isNegative || tokens[at]?.text === '+' ? at + 1 : at;
  const currency = nameAt(CURRENCY, tokens, signed);
  const number = digitsAt(tokens, currency?.next ?? signed);
  if (!number || number.digits.length > MAX_DIGITS) return null;
  const power = isTime ? null : nameAt(POWERS, tokens, number.next);
  const unit = nameAt(UNITS, tokens, power?.next ?? number.next);
  if (currency && unit && unit.value !== '$') return null;
  // As text: 1.1 × 1e6 would leave a rounding error.
  const size = Number(`${number.digits}e${(power?.value ?? 0) - (unit?.value === 'c' ? 2 : 0)}`);
  if (!(size <= MAX_VALUE)) return null;
  return {
    value: roundDecimals(isNegative ? -size : size),
    unit: currency ? '$' : (unit?.value ?? null),
    power: power?.value ?? 0,
    next: unit?.next ?? power?.next ?? number.next,
  };
}

const TO = new Set(['to', '-', 'and', '&']);

/** Two numbers with a word between them: "5c and 20c", "1 to 5 %"; what is said of the second alone counts for both. */
export function rangeAt(tokens: readonly Token[], at: number): [Quantity, Quantity] | null {
  const low = quantityAt(tokens, at);
  if (!low || !TO.has(tokens[low.next]?.text ?? '')) return null;
  const high = quantityAt(tokens, low.next + 1);
  if (!high) return null;
  const isBare = low.unit === null && low.power === 0;
  const sized = low.power === 0 && high.power > 0 ? roundDecimals(low.value * 10 ** high.power) : low.value;
  const value = isBare && high.unit === 'c' ? roundDecimals(low.value / 100) : sized;
  const unit = low.unit ?? high.unit;
  const both = { ...low, value, unit };
  // "$1 to $5m" would be a range of two sizes.
  if (low.unit === null && high.unit !== null && high.unit !== 'c' && low.power > 0 && high.power === 0)
    return null;
  return [both, { ...high, unit: high.unit ?? low.unit }];
}

/** What a number means for a kind of value: the number, with how it was read; or why it does not fit. */
export type Fitted = { value: number; note: string | null } | { why: string };

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
/** Less than this many dollars is no market cap and no day's turnover: a word for millions was left out. */
const MIN_MONEY = 1000;

function fittedMoney({ value, power }: Quantity, name: string): Fitted {
  if (power === 0 && Math.abs(value) < MIN_MONEY && value !== 0) {
    return { why: `How much is that: ${name} is in dollars. Write for instance 500k or 100m.` };
  }
  return { value, note: null };
}

/** @param value that is compared with the number */
export function fitted(quantity: Quantity, { kind, name }: Pick<Value, 'kind' | 'name'>): Fitted {
  const { value, unit, power } = quantity;
  const allowed = ALLOWED[kind] ?? ['%', null];
  if (!allowed.includes(unit)) {
    const measure = MEASURES[kind] ?? 'a plain number';
    return { why: `The number does not fit: ${name} is compared with ${measure}.` };
  }
  const isScaled = kind === 'money' || kind === 'shares';
  if (power > 0 && !isScaled) return { why: `The number does not fit: it is too large for ${name}.` };
  if (kind === 'money') return fittedMoney(quantity, name);
  if (kind === 'ratio' && unit === '%') {
    return { value: roundDecimals(value / 100), note: 'In times the usual: 100 % is 1.' };
  }
  if (kind === 'minutes' && unit === 'hours') return { value: value * 60, note: null };
  return { value, note: null };
}
