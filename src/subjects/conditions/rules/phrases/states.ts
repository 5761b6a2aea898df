import { YEAR } from '#market/indicators/rules/indicatorKey.ts';
import type { Condition } from '../condition.ts';
import { SCAN_BORDER, SCAN_QUESTIONS } from '../scanFields.ts';
import {
  comparatorAt,
  type Lexicon,
  lexiconOf,
  nameAt,
  names,
  past,
  timeframeAfter,
  words,
  type Token,
} from './lexicon.ts';
import {
  compared,
  type Form,
  type Made,
  ofField,
  pastToday,
  type Input,
  type Read,
  type Refused,
} from './reading.ts';
import type { Value } from './value.ts';
import { fieldAt, HIGH, LAST, LOW, VWAP } from './fields.ts';
import { indicatorAt } from './indicators.ts';

/** The levels of "oversold" and "overbought" by oscillator. */
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
  if (!limits) return { why: `What is ${word} for ${value.name}? Give a number.` };
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
const BREAKS = names(...words('breaks, breaking, break, broke, breaks through, breaking through'));
const NEAR = names('near', 'close to', 'around', 'just below', 'near to', 'just above', 'nearing');
const PRICE_FIRST = names('price', 'last', 'last price');
const BARE = names('high', 'low', 'highs', 'lows');
const OF_THE_DAY = 'Read as the day’s.';

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
  const broken = past(BREAKS, tokens, start);
  const from = past(AT, tokens, broken);
  const found = extremeFieldAt(tokens, from);
  const isYear = found?.value.spec.type === 'htf' && found.value.spec.period === YEAR;
  const isNamed = isYear || tokens[from]?.text === 'hod' || tokens[from]?.text === 'lod';
  if (!found || (from === start && !isNamed) || (broken > start && !isYear)) return null;
  // "52-week high above 5" compares it.
  if (from === start && comparatorAt(tokens, found.next)) return null;
  // "A new high" may be one of any period, so it is refused.
  const isBare = past(BARE, tokens, from) === found.next;
  if (isBare && tokens.slice(start, from).some(({ text }) => text === 'new' || text === 'fresh')) {
    return { why: 'Which high or low: day, month or calendar year?' };
  }
  const isHigh = found.side === 'high';
  const crossing = isHigh ? 'crosses_above' : 'crosses_below';
  const op = broken > start ? crossing : isHigh ? '>=' : '<=';
  const right = { is: 'value', value: found.value } as const;
  const one = compared(context, { lhs: LAST, op, right, tf: null });
  if ('why' in one) return one;
  const found_ = isBare ? { ...one, note: OF_THE_DAY, isDoubtful: true } : one;
  return { made: [found_], next: pastToday(tokens, found.next), subject: null };
};

/** "near the day's high", which means the upper tenth of the day's range. */
const nearExtreme: Form = ({ tokens }, at) => {
  const start = past(PRICE_FIRST, tokens, at);
  const from = past(NEAR, tokens, start);
  const found = from > start ? extremeFieldAt(tokens, from) : null;
  if (!found) return null;
  const isDay = found.value === HIGH || found.value === LOW;
  if (!isDay) return { why: 'How near? The distance is available only within the day’s range.' };
  const isHigh = found.side === 'high';
  const note = `Read as the ${isHigh ? 'upper' : 'lower'} tenth of the day’s range. Change the number if you like.`;
  const one = ofField('day_range', isHigh ? '>=' : '<=', isHigh ? 90 : 10, { note, isDoubtful: true });
  return { made: [one], next: pastToday(tokens, found.next), subject: null };
};

const EXTREME_FORMS: readonly Form[] = [extreme, signed, atExtreme, nearExtreme];

const BILLION = 1e9;
const MID_CAP = 3e8;
const CAPS = {
  large: 'Large is a market cap of $1b or more.',
  mid: 'Mid is a market cap from $300m to $1b.',
  small: 'Small is a market cap below $300m.',
} as const;

const yes = (key: string, value: 0 | 1, more: Partial<Pick<Made, 'note' | 'isDoubtful'>> = {}): Made =>
  ofField(key, '==', value, more);

const NEWS = ['news', 'announcement', 'announcements', 'ann', 'anns'];
const SENSITIVE = ['price sensitive', 'market sensitive', 'sensitive'].flatMap((word) =>
  NEWS.map((noun) => `${word} ${noun}`),
);
const ONLY_SENSITIVE = 'Conditions can only use price-sensitive announcements.';
const sensitive = (value: 0 | 1, more?: Partial<Pick<Made, 'note' | 'isDoubtful'>>): Made =>
  yes('sensitive_today', value, more);
const without = (nouns: readonly string[]): string[] => nouns.map((noun) => `no ${noun}`);

const flips = (...sides: readonly string[]): string[] =>
  ['flips', 'flipped', 'flip', 'flipping', 'turns', 'turned', 'surplus flips', 'surplus flipped']
    .concat(['surplus flip', 'surplus turns', 'surplus turned', 'surplus flipping'])
    .flatMap((verb) => sides.map((side) => `${verb} ${side}`));

const STATES: Lexicon<readonly Made[]> = lexiconOf<readonly Made[]>([
  [
    [ofField('marketCap', '>=', BILLION, { note: CAPS.large })],
    words(`
      large cap, large caps, big cap, big caps, blue chip, blue chips, largecap, large cap stocks
    `),
  ],
  [
    [
      ofField('marketCap', '>=', MID_CAP, { note: CAPS.mid }),
      ofField('marketCap', '<', BILLION, { note: CAPS.mid }),
    ],
    ['mid cap', 'mid caps', 'midcap', 'mid cap stocks'],
  ],
  [
    [ofField('marketCap', '<', MID_CAP, { note: CAPS.small })],
    ['small cap', 'small caps', 'smallcap', 'small cap stocks'],
  ],
  [
    [ofField('change_percent', '>', 0)],
    ['green', 'in green', 'positive on day', 'positive today', 'in positive'],
  ],
  [[ofField('change_percent', '<', 0)], ['red', 'in red', 'negative on day', 'negative today']],
  [[sensitive(1)], [...SENSITIVE, 'price sensitive']],
  [[sensitive(0)], without([...SENSITIVE, 'price sensitive'])],
  [[sensitive(1, { note: ONLY_SENSITIVE, isDoubtful: true })], NEWS],
  [[sensitive(0, { note: ONLY_SENSITIVE, isDoubtful: true })], without(NEWS)],
  [
    [yes('surplus_flipped', 1)],
    ['surplus flips', 'surplus flipped', 'surplus flip', 'surplus changes sides'],
  ],
  [[yes('surplus_to_buyers', 1)], flips('to buyers', 'to buy', 'to buy side')],
  [[yes('surplus_to_sellers', 1)], flips('to sellers', 'to sell', 'to sell side')],
]);

const stated: Form = ({ tokens }, at) => {
  const found = nameAt(STATES, tokens, at);
  return (
    found && { made: [...found.value], next: pastToday(tokens, found.next), subject: null, isName: true }
  );
};

const SCANS: Lexicon<string> = lexiconOf([
  ['in_pre_market', ['pre market scan', 'pre market scanner', 'premarket scan', 'pre market']],
  ['in_intra_day_large_cap', ['large cap scan', 'large cap scanner']],
]);
const ASKED: Lexicon<(typeof SCAN_QUESTIONS)[number]['id']> = lexiconOf<
  (typeof SCAN_QUESTIONS)[number]['id']
>([
  ['enters', ['enters', 'entering', 'enter']],
  ['leaves', ['leaves', 'leaving', 'leave']],
  ['in', ['in']],
  ['out', ['not in']],
]);

const inScanner: Form = ({ tokens }, at) => {
  const asked = nameAt(ASKED, tokens, at);
  const scan = asked && nameAt(SCANS, tokens, asked.next);
  const last = scan && tokens[scan.next - 1]?.text;
  const op = SCAN_QUESTIONS.find(({ id }) => id === asked?.value)?.op;
  if (!scan || !op || !last?.startsWith('scan')) return null;
  return { made: [ofField(scan.value, op, SCAN_BORDER)], next: scan.next, subject: null };
};

const indicator = (family: string, length: string | null = null): Value => ({
  spec: { type: 'indicator', family, length, tf: null },
  kind: family.startsWith('macd') ? 'of macd' : 'price',
  name: family,
  note: null,
});

type Cross = { left: Value; op: Condition['op']; right: Value; note: string | null };
const average = (length: string): Value => indicator('sma', length);
const ofMacd = (op: Condition['op']): Cross => ({
  left: indicator('macd-macd'),
  right: indicator('macd-signal'),
  op,
  note: null,
});
const macd = (up: readonly string[], joints = ['crossover', 'cross', 'crossing', 'cross over']): string[] =>
  up.flatMap((side) => [
    ...joints.flatMap((joint) => [`macd ${side} ${joint}`, `${side} macd ${joint}`]),
    ...joints.map((joint) => `macd ${joint} ${side}`),
  ]);

const CROSSES: Lexicon<Cross> = lexiconOf<Cross>([
  [
    {
      left: average('50'),
      op: 'crosses_above',
      right: average('200'),
      note: 'A golden cross is read as the averages of 50 and 200 bars.',
    },
    ['golden cross', 'golden crossover'],
  ],
  [
    {
      left: average('50'),
      op: 'crosses_below',
      right: average('200'),
      note: 'A death cross is read as the averages of 50 and 200 bars.',
    },
    ['death cross', 'dead cross'],
  ],
  [{ left: LAST, op: 'crosses_above', right: VWAP, note: null }, ['vwap reclaim', 'vwap reclaims']],
  [
    ofMacd('crosses_above'),
    [
      ...macd(['bullish', 'up', 'upward', 'positive']),
      'macd crosses up',
      'macd crossing up',
      'macd buy signal',
    ],
  ],
  [
    ofMacd('crosses_below'),
    [...macd(['bearish', 'down', 'downward', 'negative']), 'macd crosses down', 'macd crossing down'],
  ],
]);

/** "golden cross", "MACD bullish crossover on the hourly". */
const crossed: Form = ({ tokens, context }, at) => {
  const found = nameAt(CROSSES, tokens, at);
  if (!found) return null;
  const { left, op, right, note } = found.value;
  const after = timeframeAfter(tokens, found.next);
  const one = compared(context, {
    lhs: left,
    op,
    right: { is: 'value', value: right },
    tf: after?.tf ?? null,
  });
  if ('why' in one) return one;
  return {
    made: [{ ...one, note }],
    next: after?.next ?? found.next,
    subject: null,
    isTimed: after !== null,
  };
};

export const STATE_FORMS: readonly Form[] = [stated, inScanner, crossed, ...EXTREME_FORMS];
