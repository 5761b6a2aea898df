import type { Condition } from '../condition.ts';
import { SCAN_BORDER, SCAN_QUESTIONS } from '../scanFields.ts';
import { EXTREME_FORMS } from './extremes.ts';
import { type Lexicon, lexiconOf, nameAt, words } from './lexicon.ts';
import { compared, type Form, type Made, ofField, pastToday } from './reading.ts';
import { timeframeAfter } from './timeframes.ts';
import type { Value } from './value.ts';

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
const ONLY_SENSITIVE = 'Only price-sensitive announcements are known to conditions.';
const sensitive = (value: 0 | 1, more?: Partial<Pick<Made, 'note' | 'isDoubtful'>>): Made =>
  yes('sensitive_today', value, more);
const without = (nouns: readonly string[]): string[] => nouns.map((noun) => `no ${noun}`);

const flips = (...sides: readonly string[]): string[] =>
  ['flips', 'flipped', 'flip', 'flipping', 'turns', 'turned', 'surplus flips', 'surplus flipped']
    .concat(['surplus flip', 'surplus turns', 'surplus turned', 'surplus flipping'])
    .flatMap((verb) => sides.map((side) => `${verb} ${side}`));

/** What whole names stand for, whatever stands around them. */
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

/** "enters the large cap scan". */
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

/** What is said by its name. */
export const STATE_FORMS: readonly Form[] = [stated, inScanner, crossed, ...EXTREME_FORMS];
