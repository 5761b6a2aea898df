import {
  type Lexicon,
  lexiconOf,
  nameAt,
  names,
  past,
  timeframeAfter,
  timeframeBefore,
  words,
  type Token,
} from './lexicon.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import { VWAP as DAY_VWAP } from './fields.ts';
import type { Kind, Value } from './value.ts';

type Named = { family: string; name: string; kind: Kind };

const SIMPLE: Named = { family: 'sma', name: 'the average', kind: 'price' };

const AVERAGES: Lexicon<Named> = lexiconOf([
  [
    SIMPLE,
    words(`
      average, averages, moving average, moving averages, ma, mas, sma, smas, simple moving average,
      simple moving averages, simple average, moving avg, avg, mavg
    `),
  ],
  [
    { family: 'ema', name: 'the exponential average', kind: 'price' },
    ['ema', 'emas', 'exponential moving average', 'exponential moving averages', 'exponential average'],
  ],
  [
    { family: 'hull-ma', name: 'the Hull average', kind: 'price' },
    ['hull moving average', 'hull average', 'hma', 'hull ma', 'hull'],
  ],
]);

const level = (family: string, name: string, scale = family): Named => ({
  family,
  name,
  kind: `of ${scale}`,
});
const price = (family: string, name: string): Named => ({ family, name, kind: 'price' });

const bands = (side: 'upper' | 'lower'): readonly string[] => {
  const word = side === 'upper' ? ['upper', 'top'] : ['lower', 'bottom'];
  return word.flatMap((one) => [
    `${one} bollinger band`,
    `${one} bollinger`,
    `${one} bb`,
    `bollinger ${one} band`,
    `bb ${one}`,
    `bollinger ${one}`,
    `${one} bollinger bands`,
    `${one} band`,
  ]);
};

const OTHERS: Lexicon<Named> = lexiconOf([
  [level('rsi', 'RSI'), ['rsi', 'relative strength index']],
  [level('adx', 'ADX', 'directional'), ['adx', 'average directional index']],
  [level('adx-plus-di', '+DI', 'directional'), ['+ di', 'plus di', 'di +']],
  [level('adx-minus-di', '−DI', 'directional'), ['- di', 'minus di', 'di -']],
  [level('cci', 'CCI'), ['cci', 'commodity channel index']],
  [level('mom', 'the momentum'), ['momentum', 'mom']],
  [level('roc', 'the rate of change'), ['roc', 'rate of change']],
  [level('ao', 'the Awesome Oscillator'), ['ao', 'awesome oscillator']],
  [level('uo', 'the Ultimate Oscillator'), ['uo', 'ultimate oscillator']],
  [level('w-r', 'Williams %R'), ['williams % r', 'williams r', 'williams percent r', '% r']],
  [
    level('stoch-k', 'the stochastic %K', 'stochastic'),
    ['stochastic', 'stochastics', 'stoch', 'stochastic k', 'stoch k', 'stochastic % k', 'stoch % k', '% k'],
  ],
  [
    level('stoch-d', 'the stochastic %D', 'stochastic'),
    ['stochastic d', 'stoch d', 'stochastic % d', 'stoch % d', '% d'],
  ],
  [level('stoch-rsi-k', 'the stochastic RSI'), ['stochastic rsi', 'stoch rsi', 'stochrsi']],
  [level('macd-macd', 'MACD', 'macd'), ['macd', 'macd line']],
  [
    level('macd-signal', 'the MACD signal', 'macd'),
    ['macd signal', 'macd signal line', 'signal line', 'signal', 'macd signal'],
  ],
  [level('macd-hist', 'the MACD histogram'), ['macd histogram', 'macd hist', 'macd histo']],
  [level('money-flow', 'the money flow index'), ['mfi', 'money flow index', 'money flow']],
  [level('chaikin-money-flow', 'the Chaikin money flow'), ['cmf', 'chaikin money flow']],
  [level('atr', 'ATR'), ['atr', 'average true range']],
  [{ family: 'atrp', name: 'ATR %', kind: 'percent' }, ['atr %', 'atr percent', 'atrp']],
  [level('aroon-up', 'Aroon up', 'aroon'), ['aroon up']],
  [level('aroon-down', 'Aroon down', 'aroon'), ['aroon down']],
  [price('bb-upper', 'the upper Bollinger band'), bands('upper')],
  [price('bb-lower', 'the lower Bollinger band'), bands('lower')],
  [
    price('bb-basis', 'the middle Bollinger band'),
    [
      'middle bollinger band',
      'bollinger middle',
      'middle bollinger',
      'bollinger middle band',
      'mid bollinger',
    ],
  ],
  [price('klt-chnl-upper', 'the upper Keltner line'), ['upper keltner', 'upper keltner channel']],
  [price('klt-chnl-lower', 'the lower Keltner line'), ['lower keltner', 'lower keltner channel']],
  [price('p-sar', 'the parabolic SAR'), ['parabolic sar', 'psar', 'sar', 'parabolic stop and reverse']],
  [price('vwma', 'VWMA'), ['vwma']],
]);

const VWAP = names('vwap', 'volume weighted average price', 'intraday vwap', 'day vwap', 'today vwap');
/** The unit that a length counts; null for bars of any timeframe. */
const UNITS: Lexicon<Timeframe | null> = lexiconOf<Timeframe | null>([
  ['D', ['day', 'days', 'd']],
  ['W', ['week', 'weeks', 'w']],
  ['M', ['month', 'months']],
  ['60', ['hour', 'hours']],
  [null, ['period', 'periods', 'bar', 'bars']],
]);
const DAY_AVERAGE = names('dma', 'dmas', 'dsma', 'd sma', 'd ma');
const DAY_EXPONENTIAL = names('dema', 'd ema');
const ANSWERS: ReadonlySet<string> = new Set(['oversold', 'overbought', 'positive', 'negative', 'turns']);

export type FoundValues = { values: Value[]; next: number };

const valuesOf = (
  { family, name, kind }: Named,
  lengths: readonly (string | null)[],
  tf: Timeframe | null,
): Value[] =>
  lengths.map((length) => ({ spec: { type: 'indicator', family, length, tf }, kind, name, note: null }));

/** "20 day EMA", "50 EMA", "200 dma", "20 period moving average". */
function averageWithLengthFirst(
  tokens: readonly Token[],
  at: number,
  tf: Timeframe | null,
): FoundValues | null {
  const lengths = tokens[at]?.numbers;
  if (!lengths) return null;
  const days = nameAt(DAY_AVERAGE, tokens, at + 1) ?? nameAt(DAY_EXPONENTIAL, tokens, at + 1);
  if (days) {
    const isSimple = nameAt(DAY_AVERAGE, tokens, at + 1) !== null;
    return {
      values: valuesOf({ ...SIMPLE, family: isSimple ? 'sma' : 'ema' }, lengths, 'D'),
      next: days.next,
    };
  }
  const unit = nameAt(UNITS, tokens, at + 1);
  const average = nameAt(AVERAGES, tokens, unit?.next ?? at + 1);
  if (!average) return null;
  return { values: valuesOf(average.value, lengths, tf ?? unit?.value ?? null), next: average.next };
}

/** A length after an indicator's name: "EMA 20", "RSI(14)"; none if the number means something else. */
function lengthAfter(
  tokens: readonly Token[],
  at: number,
  isSure: boolean,
): { length: string; next: number } | null {
  const isOpen = tokens[at]?.text === '(';
  const from = isOpen ? at + 1 : at;
  const [length, ...more] = tokens[from]?.numbers ?? [];
  if (length === undefined || more.length > 0) return null;
  if (isOpen) return tokens[from + 1]?.text === ')' ? { length, next: from + 2 } : null;
  if (timeframeBefore(tokens, from)) return null;
  return isSure ? { length, next: from + 1 } : null;
}

function averageWithLengthBehind(
  tokens: readonly Token[],
  at: number,
  tf: Timeframe | null,
): FoundValues | null {
  const average = nameAt(AVERAGES, tokens, at);
  const length = average && lengthAfter(tokens, average.next, true);
  return average && length && { values: valuesOf(average.value, [length.length], tf), next: length.next };
}

/** Whether a number after an oscillator's name is its length, because a comparison or an answer follows. */
const isLengthThere = (tokens: readonly Token[], at: number, isComparing: (at: number) => boolean): boolean =>
  tokens[at]?.numbers !== undefined && (isComparing(at + 1) || ANSWERS.has(tokens[at + 1]?.text ?? ''));

function otherAt(
  tokens: readonly Token[],
  at: number,
  { tf, isComparing }: { tf: Timeframe | null; isComparing: (at: number) => boolean },
): FoundValues | null {
  const [first] = tokens[at]?.numbers ?? [];
  const unit = first === undefined ? null : nameAt(UNITS, tokens, at + 1);
  const from = first === undefined ? at : (unit?.next ?? at + 1);
  const other = nameAt(OTHERS, tokens, from);
  if (!other) return null;
  if (first !== undefined) {
    const unitTf = unit?.value ?? null;
    return { values: valuesOf(other.value, [first], tf ?? unitTf), next: other.next };
  }
  const behind = lengthAfter(tokens, other.next, isLengthThere(tokens, other.next, isComparing));
  return { values: valuesOf(other.value, [behind?.length ?? null], tf), next: behind?.next ?? other.next };
}

function vwapAt(tokens: readonly Token[], at: number, tf: Timeframe | null): FoundValues | null {
  const next = past(VWAP, tokens, at);
  if (next === at) return null;
  const isDay = tf === 'D' || tf === 'W' || tf === 'M';
  if (isDay) return null;
  // All intraday timeframes give the same session average; daily bars would give the day's typical price.
  if (tf === null) return { values: [DAY_VWAP], next };
  return { values: valuesOf({ family: 'vwap', name: 'VWAP', kind: 'price' }, [null], tf), next };
}

const hasSpecTf = ({ spec }: Value): boolean => spec.type === 'indicator' && spec.tf !== null;

/**
 * The indicator at a position, with length and timeframe; several for a list of lengths.
 * @param isComparing whether a comparison begins at a position
 */
export function indicatorAt(
  tokens: readonly Token[],
  at: number,
  isComparing: (at: number) => boolean,
): FoundValues | null {
  const before = timeframeBefore(tokens, at);
  const tf = before?.tf ?? null;
  const from = before?.next ?? at;
  const found =
    vwapAt(tokens, from, tf) ??
    averageWithLengthFirst(tokens, from, tf) ??
    averageWithLengthBehind(tokens, from, tf) ??
    otherAt(tokens, from, { tf, isComparing });
  if (!found || found.values.some(hasSpecTf)) return found;
  const after = timeframeAfter(tokens, found.next);
  if (!after) return found;
  const values = found.values.map(
    (value): Value =>
      value.spec.type === 'indicator' ? { ...value, spec: { ...value.spec, tf: after.tf } } : value,
  );
  return { values, next: after.next };
}
