import { fieldAt, HIGH, LAST, LOW } from './fields.ts';
import { indicatorAt } from './indicators.ts';
import { names, past, words } from './lexicon.ts';
import { compared, type Form, type Input, ofField, pastToday, type Read, type Refused } from './reading.ts';
import { timeframeAfter } from './timeframes.ts';
import type { Token } from './tokens.ts';
import type { Value } from './value.ts';

/** What "oversold" and "overbought" are of each oscillator that people say it of. */
const EXTREMES: Readonly<Record<string, { oversold: number; overbought: number }>> = {
  rsi: { oversold: 30, overbought: 70 },
  'stoch-k': { oversold: 20, overbought: 80 },
  cci: { oversold: -100, overbought: 100 },
  'money-flow': { oversold: 20, overbought: 80 },
  'w-r': { oversold: -80, overbought: -20 },
};
const RSI: Value = {
  spec: { type: 'indicator', family: 'rsi', length: null, tf: null },
  kind: 'of rsi',
  name: 'RSI',
  note: null,
};

const extremeAt = (tokens: readonly Token[], at: number): 'oversold' | 'overbought' | null => {
  const text = tokens[at]?.text;
  return text === 'oversold' || text === 'overbought' ? text : null;
};

function extremeOf({ tokens, context }: Input, value: Value, word: 'oversold' | 'overbought', at: number) {
  const limits = value.spec.type === 'indicator' ? EXTREMES[value.spec.family] : undefined;
  if (!limits) return { why: `What is ${word} for ${value.name}? Say the number.` };
  const after = timeframeAfter(tokens, at);
  const number = { value: limits[word], unit: null, power: 0, next: 0 };
  const op = word === 'oversold' ? '<' : '>';
  const right = { is: 'quantity', quantity: number } as const;
  const one = compared(context, { lhs: value, op, right, tf: after?.tf ?? null });
  if ('why' in one) return one;
  const side = word === 'oversold' ? 'below' : 'above';
  const note = `${word === 'oversold' ? 'Oversold' : 'Overbought'} is read as ${value.name} ${side} ${limits[word]}.`;
  const next = pastToday(tokens, after?.next ?? at);
  return { made: [{ ...one, note }], next, subject: value, isTimed: after !== null };
}

/** "oversold", "RSI oversold", "overbought stochastic". */
const extreme: Form = (input, at): Read | Refused | null => {
  const { tokens } = input;
  const found = indicatorAt(tokens, at, () => false);
  const [value] = found?.values ?? [];
  const behind = found && value ? extremeAt(tokens, found.next) : null;
  if (found && value && behind) return extremeOf(input, value, behind, found.next + 1);
  const word = extremeAt(tokens, at);
  if (!word) return null;
  const after = indicatorAt(tokens, at + 1, () => false);
  const [named] = after?.values ?? [];
  const hasName = named?.spec.type === 'indicator' && EXTREMES[named.spec.family] !== undefined;
  if (after && named && hasName) return extremeOf(input, named, word, after.next);
  return extremeOf(input, RSI, word, at + 1);
};

const TURNING = names('turns', 'goes', 'flips', 'turning', 'goes back', 'crosses zero to');
const SIGNED: ReadonlySet<string> = new Set([
  'macd-macd',
  'macd-hist',
  'mom',
  'roc',
  'ao',
  'chaikin-money-flow',
]);

/** "MACD positive", "the histogram turns negative". */
const signed: Form = ({ tokens, context }, at) => {
  const found = indicatorAt(tokens, at, () => false);
  const [value] = found?.values ?? [];
  if (!found || value?.spec.type !== 'indicator' || !SIGNED.has(value.spec.family)) return null;
  const turning = past(TURNING, tokens, found.next);
  const word = tokens[turning]?.text;
  if (word !== 'positive' && word !== 'negative') return null;
  const isUp = word === 'positive';
  const op = turning > found.next ? (isUp ? 'crosses_above' : 'crosses_below') : isUp ? '>' : '<';
  const quantity = { value: 0, unit: null, power: 0, next: 0 };
  const after = timeframeAfter(tokens, turning + 1);
  const right = { is: 'quantity', quantity } as const;
  const one = compared(context, { lhs: value, op, right, tf: after?.tf ?? null });
  if ('why' in one) return one;
  return { made: [one], next: after?.next ?? turning + 1, subject: value, isTimed: after !== null };
};

const AT = names(
  ...words(`
    at, at new, new, making, making new, makes, makes new, hits, hits new, hitting, hitting new,
    fresh, at fresh, set new, sets new, setting new
  `),
);
const NEAR = names('near', 'close to', 'around', 'just below', 'near to', 'just above', 'nearing');
const PRICE_FIRST = names('price', 'last', 'last price');
const BARE = names('high', 'low', 'highs', 'lows');
const OF_THE_DAY = 'Read as the day’s.';

/** The field that a high or low is of; null for anything else. */
function extremeFieldAt(tokens: readonly Token[], at: number) {
  const field = fieldAt(tokens, at);
  if (!field || field.value.spec.type === 'indicator') return null;
  const { spec } = field.value;
  const side = spec.type === 'htf' ? spec.field : spec.key;
  return side === 'high' || side === 'low' ? { value: field.value, side, next: field.next } : null;
}

/** "at the day's high", "making a new low for the day", "at this month's high". */
const atExtreme: Form = ({ tokens, context }, at) => {
  const start = past(PRICE_FIRST, tokens, at);
  const from = past(AT, tokens, start);
  const found = extremeFieldAt(tokens, from);
  const isNamed = tokens[from]?.text === 'hod' || tokens[from]?.text === 'lod';
  if (!found || (from === start && !isNamed)) return null;
  // "A new high" may be one of any length of time.
  const isBare = past(BARE, tokens, from) === found.next;
  if (isBare && tokens.slice(start, from).some(({ text }) => text === 'new' || text === 'fresh')) {
    return { why: 'A high or low of what: of the day, the month, the calendar year?' };
  }
  const op = found.side === 'high' ? '>=' : '<=';
  const right = { is: 'value', value: found.value } as const;
  const one = compared(context, { lhs: LAST, op, right, tf: null });
  if ('why' in one) return one;
  const found_ = isBare ? { ...one, note: OF_THE_DAY, isDoubtful: true } : one;
  return { made: [found_], next: pastToday(tokens, found.next), subject: null };
};

/** "near the day's high": the upper tenth of the day's range. */
const nearExtreme: Form = ({ tokens }, at) => {
  const start = past(PRICE_FIRST, tokens, at);
  const from = past(NEAR, tokens, start);
  const found = from > start ? extremeFieldAt(tokens, from) : null;
  if (!found) return null;
  const isDay = found.value === HIGH || found.value === LOW;
  if (!isDay) return { why: 'How near? Only of the day’s range it is known how near the price is.' };
  const isHigh = found.side === 'high';
  const note = `Read as the ${isHigh ? 'upper' : 'lower'} tenth of the day’s range. Change the number as you like.`;
  const one = ofField('day_range', isHigh ? '>=' : '<=', isHigh ? 90 : 10, { note, isDoubtful: true });
  return { made: [one], next: pastToday(tokens, found.next), subject: null };
};

/** Oscillators at their ends, and prices at the ends of a range. */
export const EXTREME_FORMS: readonly Form[] = [extreme, signed, atExtreme, nearExtreme];
