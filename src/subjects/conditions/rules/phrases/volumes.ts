import type { Operator } from '../condition.ts';
import {
  comparatorAt,
  type Lexicon,
  lexiconOf,
  nameAt,
  names,
  past,
  suffixAt,
  words,
  type Token,
} from './lexicon.ts';
import { REL_VOL, TRADED, VOLUME } from './fields.ts';
import { quantityAt } from './quantity.ts';
import { compared, type Form, type Input, ofField, pastToday, type Read, type Refused } from './reading.ts';
import { averageVolume, type Value } from './value.ts';

const REL_VOL_KEY = 'relativeVolume';

const USUAL = ['usual', 'average', 'normal', 'typical', 'avg', 'regular', 'ordinary', 'mean'];
/** Names of the usual volume that include the word "volume", which a number before them needs. */
const USUAL_VOLUME = names(
  ...USUAL.flatMap((word) => [
    `${word} volume`,
    `${word} vol`,
    `${word} daily volume`,
    `${word} trading volume`,
    `daily ${word} volume`,
    `${word} day volume`,
    `${word} amount of volume`,
  ]),
);
/** Names of the usual volume after the volume was named. */
const USUAL_ALONE = names(
  ...USUAL,
  ...USUAL.map((word) => `${word} volume`),
  'average daily volume',
  'than usual',
);
const PLAIN_VOLUME = names('volume', 'vol');

const TIMES: Lexicon<number> = lexiconOf([
  [2, ['twice', 'double', 'two times', 'doubled']],
  [3, ['triple', 'thrice', 'three times']],
  [4, ['quadruple', 'four times']],
  [0.5, ['half']],
]);

const HIGH_VOLUME = names(
  ...words('unusual, unusually high, high, heavy, big, strong, huge, elevated, above normal').flatMap(
    (word) => [`${word} volume`, `${word} vol`],
  ),
  'volume spike',
  'volume surge',
  'volume spikes',
  'volume surging',
  'volume spiking',
  'spike in volume',
);
const LOW_VOLUME = names(...['low', 'light', 'thin', 'quiet', 'weak'].map((word) => `${word} volume`));

type Multiple = { times: number; next: number };

/** "twice", "3x", "1.5 times". */
function multipleAt(tokens: readonly Token[], at: number): Multiple | null {
  const word = nameAt(TIMES, tokens, at);
  if (word) return { times: word.value, next: word.next };
  const quantity = quantityAt(tokens, at);
  return quantity?.unit === 'x' ? { times: quantity.value, next: quantity.next } : null;
}

const pastOf = (tokens: readonly Token[], at: number): number => (tokens[at]?.text === 'of' ? at + 1 : at);

type More = { note?: string; isDoubtful?: boolean };

const usual = (tokens: readonly Token[], op: Operator, times: number, at: number, more: More = {}): Read => ({
  made: [ofField(REL_VOL_KEY, op, times, more)],
  next: pastToday(tokens, at),
  subject: REL_VOL,
});

/** Without a word like "over", "twice" means at least and "half" means at most. */
function ofMultiple(
  tokens: readonly Token[],
  op: Operator | null,
  times: number,
  at: number,
  more?: More,
): Read {
  if (op !== null || times >= 1) return usual(tokens, op ?? '>=', times, at, more);
  return usual(tokens, '<=', times, at, { note: 'Read as half as much or less.', isDoubtful: true });
}

const ITS_VOLUME = 'Read as the usual volume by this time of day; yesterday’s volume is not available.';

/** "(over) twice its usual volume", "at least 3x average volume", "above average volume". */
const multipleFirst: Form = ({ tokens }, at) => {
  const comparator = comparatorAt(tokens, at);
  const op = comparator?.value ?? null;
  const from = comparator?.next ?? at;
  const multiple = multipleAt(tokens, from);
  if (!multiple) {
    const next = past(USUAL_VOLUME, tokens, from);
    return op === null || next === from ? null : usual(tokens, op, 1, next);
  }
  const suffix = suffixAt(tokens, multiple.next);
  const behind = pastOf(tokens, suffix?.next ?? multiple.next);
  const next = past(USUAL_VOLUME, tokens, behind);
  if (next > behind) return ofMultiple(tokens, op ?? suffix?.value ?? null, multiple.times, next);
  const plain = past(PLAIN_VOLUME, tokens, behind);
  if (plain === behind) return null;
  return usual(tokens, op ?? '>=', multiple.times, plain, { note: ITS_VOLUME, isDoubtful: true });
};

/** "50 % above average": the percentage is added to the usual volume, or subtracted. */
function adjacentPercent(tokens: readonly Token[], at: number, isVolumeNamed: boolean): Read | null {
  const quantity = quantityAt(tokens, at);
  if (quantity?.unit !== '%') return null;
  const side = comparatorAt(tokens, quantity.next);
  if (side?.value !== '>' && side?.value !== '<') return null;
  const next = past(isVolumeNamed ? USUAL_ALONE : USUAL_VOLUME, tokens, side.next);
  if (next === side.next) return null;
  const isMore = side.value === '>';
  const times = Math.round(100 + (isMore ? quantity.value : -quantity.value)) / 100;
  return usual(tokens, isMore ? '>=' : '<=', times, next);
}

/** "volume twice the usual", "volume above average", "volume at least 1.5 times average". */
const volumeFirst: Form = ({ tokens }, at) => {
  const from = past(PLAIN_VOLUME, tokens, at);
  if (from === at) return null;
  const percent = adjacentPercent(tokens, from, true);
  if (percent) return percent;
  const comparator = comparatorAt(tokens, from);
  const op = comparator?.value ?? null;
  const behind = comparator?.next ?? from;
  const multiple = multipleAt(tokens, behind);
  const start = multiple ? pastOf(tokens, multiple.next) : behind;
  const next = past(USUAL_ALONE, tokens, start);
  if (next === start || (op === null && !multiple)) return null;
  return multiple ? ofMultiple(tokens, op, multiple.times, next) : usual(tokens, op ?? '>', 1, next);
};

const VAGUE = (times: number, word: string): More => ({
  note: `Read as ${times} times the usual or ${word}. Change the number if you like.`,
  isDoubtful: true,
});

/** "unusual volume", "low volume". */
const vague: Form = ({ tokens }, at) => {
  const high = past(HIGH_VOLUME, tokens, at);
  if (high > at) return usual(tokens, '>=', 2, high, VAGUE(2, 'more'));
  const low = past(LOW_VOLUME, tokens, at);
  return low > at ? usual(tokens, '<=', 0.5, low, VAGUE(0.5, 'less')) : null;
};

const percentFirst: Form = ({ tokens }, at) => adjacentPercent(tokens, at, false);

export const relativeVolume: Form = (input, at) =>
  multipleFirst(input, at) ?? volumeFirst(input, at) ?? percentFirst(input, at) ?? vague(input, at);

const AVERAGE = names('average', 'avg', 'mean', 'average daily', 'moving average', 'daily average');
const DAYS = names('day', 'days', 'd');

/** "30 day average volume", "average volume over 30 days". */
export function averageVolumeAt(
  tokens: readonly Token[],
  at: number,
): { values: Value[]; next: number } | null {
  const [days, ...more] = tokens[at]?.numbers ?? [];
  if (days !== undefined && more.length === 0) {
    const unit = past(DAYS, tokens, at + 1);
    const average = past(AVERAGE, tokens, unit);
    const next = past(PLAIN_VOLUME, tokens, average);
    const isAll = unit > at + 1 && average > unit && next > average;
    return isAll ? { values: [averageVolume(days)], next } : null;
  }
  const average = past(AVERAGE, tokens, at);
  const volume = average > at ? past(PLAIN_VOLUME, tokens, average) : average;
  const number = tokens[volume + 1]?.numbers?.[0];
  const isOver = ['over', 'of'].includes(tokens[volume]?.text ?? '');
  const next = past(DAYS, tokens, volume + 2);
  const isAll = volume > average && isOver && number !== undefined && next > volume + 2;
  return isAll ? { values: [averageVolume(number)], next } : null;
}

const TRADED_BEHIND = names('traded', 'turnover', 'in turnover', 'value traded', 'in value', 'of turnover');
const SHARES_BEHIND = names('shares traded', 'traded', 'in volume', 'volume', 'shares');

/** An amount before its noun: "more than $1m traded", "over 500k shares". */
export const amountTraded: Form = (input: Input, at): Read | Refused | null => {
  const { tokens, context } = input;
  const start = tokens[at]?.text === 'traded' ? at + 1 : at;
  const comparator = comparatorAt(tokens, start);
  const quantity = quantityAt(tokens, comparator?.next ?? start);
  if (!quantity) return null;
  const suffix = suffixAt(tokens, quantity.next);
  const op = comparator?.value ?? suffix?.value ?? null;
  const behind = suffix?.next ?? quantity.next;
  const isMoney = quantity.unit === '$';
  const isShares = quantity.unit === 'shares' || (!isMoney && quantity.unit === null && quantity.power > 0);
  const end = past(isMoney ? TRADED_BEHIND : SHARES_BEHIND, tokens, behind);
  const isNamed = start > at || end > behind || quantity.unit === 'shares';
  if (!(isMoney || isShares) || !isNamed) return null;
  // "500k traded" may mean dollars or shares.
  const isOpen = !isMoney && quantity.unit === null && ['traded'].includes(tokens[end - 1]?.text ?? 'traded');
  if (isOpen || (start > at && !isMoney && quantity.unit === null)) {
    return { why: 'Shares or dollars? Write “volume over 500k” or “value over $500k”.' };
  }
  const lhs = isMoney ? TRADED : VOLUME;
  const made = compared(context, { lhs, op: op ?? '>=', right: { is: 'quantity', quantity }, tf: null });
  if ('why' in made) return made;
  return { made: [made], next: pastToday(tokens, end), subject: lhs };
};

const DOLLARS = 'Dollars apply to the value traded. Volume counts shares.';

/** "volume over $1m", which means the value traded. */
export const volumeInDollars: Form = ({ tokens, context }, at) => {
  const from = past(PLAIN_VOLUME, tokens, at);
  const comparator = from > at ? comparatorAt(tokens, from) : null;
  const quantity = comparator && quantityAt(tokens, comparator.next);
  if (!comparator || quantity?.unit !== '$') return null;
  const sides = { lhs: TRADED, op: comparator.value, right: { is: 'quantity', quantity }, tf: null } as const;
  const made = compared(context, sides);
  if ('why' in made) return made;
  return {
    made: [{ ...made, note: DOLLARS, isDoubtful: true }],
    next: pastToday(tokens, quantity.next),
    subject: TRADED,
  };
};
