import type { Operator } from '../condition.ts';
import { type Lexicon, lexiconOf, nameAt, names, past, words } from './lexicon.ts';
import type { Token } from './tokens.ts';

/** Verbs of a price that goes somewhere: with a side they are a crossing. */
const GOING = words(`
  crosses, cross, crossing, crossed, breaks, break, breaking, broke, breaks out, breaking out,
  break out, broke out, goes, going, go, moves, moving, move, gets
`);
const RISING = words(`
  rises, rising, rise, rose, climbs, climbing, jumps, pushes, pops, spikes, surges, rallies,
  crosses up, cross up, crossing up, crossed up, breaks up
`);
const FALLING = words(`
  falls, falling, fall, fell, drops, dropping, drop, dropped, dips, dipping, sinks, slips, slides,
  crosses down, cross down, crossing down, crossed down, breaks down
`);

const sided = (verbs: readonly string[], sides: readonly string[]): string[] =>
  verbs.flatMap((verb) => sides.map((side) => `${verb} ${side}`));

const UPWARD = ['above', 'over', 'back above', 'up through', 'up above', 'past'];
const DOWNWARD = ['below', 'under', 'beneath', 'back below', 'down through', 'down below'];

const COMPARATORS: Lexicon<Operator> = lexiconOf([
  [
    '>',
    words(`
      above, over, more than, greater than, higher than, bigger than, larger than, >, exceeds,
      exceeding, exceed, beats, gt, better than, north of, in excess of
    `),
  ],
  [
    '>=',
    words(`
      at least, >=, minimum, min, no less than, not less than, at or above, not below, not under,
      equal or above, minimum of, no lower than, not lower than, at minimum, gte,
      greater than or equal to, more than or equal to, above or equal to, at or over
    `),
  ],
  [
    '<',
    words(`
      below, under, less than, lower than, smaller than, beneath, <, lt, sub, fewer than, cheaper than,
      south of, worse than
    `),
  ],
  [
    '<=',
    words(`
      at most, <=, maximum, max, no more than, not more than, at or below, not above, not over,
      equal or below, maximum of, no higher than, not higher than, up to, lte, less than or equal to,
      below or equal to, at or under
    `),
  ],
  ['==', ['=', 'equals', 'equal', 'equal to', 'exactly', 'same as']],
  ['!=', ['!=', 'not equal to', 'not equal']],
  ['crosses_above', [...sided(GOING, [...UPWARD, 'up']), ...sided(RISING, [...UPWARD, 'through'])]],
  ['crosses_below', [...sided(GOING, [...DOWNWARD, 'down']), ...sided(FALLING, [...DOWNWARD, 'through'])]],
]);

/** Behind a number: "5 % or more". */
const SUFFIXES: Lexicon<Operator> = lexiconOf([
  [
    '>=',
    words(`
      +, or more, or higher, or greater, or better, or above, or over, plus, minimum, at least, min
    `),
  ],
  ['<=', ['or less', 'or lower', 'or fewer', 'or below', 'or under', 'maximum', 'at most', 'max']],
]);

/** They cross without saying to which side. */
const UNSIDED = names(
  ...words(`
    crosses, crossing, cross, crossed, breaks, breaking, breaks through, crosses through, hits,
    reaches, touches, reached, touched, hit, reaching, touching, hitting
  `),
);

export const comparatorAt = (
  tokens: readonly Token[],
  at: number,
): { value: Operator; next: number } | null => nameAt(COMPARATORS, tokens, at);

export const suffixAt = (tokens: readonly Token[], at: number): { value: Operator; next: number } | null =>
  nameAt(SUFFIXES, tokens, at);

/** Whether a crossing begins at a place whose side is not said. */
export const isUnsided = (tokens: readonly Token[], at: number): boolean =>
  comparatorAt(tokens, at) === null && past(UNSIDED, tokens, at) > at;
