import { isTimeframe, type Timeframe } from '#market/indicators/rules/types.ts';
import type { Operator } from '../condition.ts';

export type Token = {
  /** In lower case. A possessive loses its 's, and signs have their plain form. */
  text: string;
  /** Offset in the typed text. */
  from: number;
  to: number;
  /** Set for a number; several for a list, as in "20, 50 and 200 day averages". */
  numbers?: readonly string[];
  /** Set for a number that a hyphen joins to the previous word, as in "sub-20c": the hyphen is not a minus. */
  isHyphened?: true;
  /** Set for a sector or a list of sectors: the market's names. */
  sectors?: readonly string[];
};

export type Lexicon<T> = { named: ReadonlyMap<string, T>; longest: number };

const MAX_WORDS = 6;

/** @param entries meanings with their names: lower case, one blank between words */
export function lexiconOf<T>(entries: readonly (readonly [T, readonly string[]])[]): Lexicon<T> {
  const named = new Map<string, T>();
  for (const [value, names] of entries) for (const name of names) named.set(name, value);
  return { named, longest: MAX_WORDS };
}

/** The longest name at a position, and its end; null if there is none. */
export function nameAt<T>(
  { named, longest }: Lexicon<T>,
  tokens: readonly Token[],
  at: number,
): { value: T; next: number } | null {
  let found: { value: T; next: number } | null = null;
  let name = '';
  for (let next = at; next < tokens.length && next < at + longest; next += 1) {
    name += next === at ? tokens[next]?.text : ` ${tokens[next]?.text}`;
    const value = named.get(name);
    if (value !== undefined) found = { value, next: next + 1 };
  }
  return found;
}

/** The end of an optional name at a position; the position itself if there is none. */
export const past = (names: Lexicon<true>, tokens: readonly Token[], at: number): number =>
  nameAt(names, tokens, at)?.next ?? at;

/** A lexicon of names without a value. */
export const names = (...list: readonly string[]): Lexicon<true> => lexiconOf([[true, list]]);

export const words = (text: string): string[] => text.split(',').map((name) => name.trim());

const NAMED: Lexicon<Timeframe> = lexiconOf([
  ['60', ['hourly', 'hour', 'h']],
  ['D', ['daily', 'day', 'd']],
  ['W', ['weekly', 'week', 'w']],
  ['M', ['monthly', 'month']],
]);
/** Adjectives before an indicator's name. "Day" and "week" would be part of its length. */
const ADJECTIVES: ReadonlySet<string> = new Set(['hourly', 'daily', 'weekly', 'monthly']);
const MINUTES = names('m', 'min', 'mins', 'minute', 'minutes');
const HOURS = names('h', 'hr', 'hrs', 'hour', 'hours', 'hourly');
const ONE = names('d', 'day', 'w', 'week', 'month');
const CHARTS = names('chart', 'charts', 'bar', 'bars', 'candle', 'candles', 'timeframe', 'tf', 'time frame');
const ON = names('on');

type Found = { tf: Timeframe; next: number };

const found = (tf: string, next: number): Found | null => (isTimeframe(tf) ? { tf, next } : null);

/** "5 minute", "1h", "4 hourly"; null if the timeframe is not available. */
function numbered(tokens: readonly Token[], at: number): Found | null {
  const [number, ...more] = tokens[at]?.numbers ?? [];
  if (number === undefined || more.length > 0) return null;
  const minutes = nameAt(MINUTES, tokens, at + 1);
  if (minutes) return found(number, minutes.next);
  const hours = nameAt(HOURS, tokens, at + 1);
  if (hours) return found(String(Number(number) * 60), hours.next);
  const one = number === '1' ? nameAt(ONE, tokens, at + 1) : null;
  return one && found(tokens[at + 1]?.text.charAt(0).toUpperCase() ?? '', one.next);
}

/** A timeframe before an indicator's name: "hourly", "5 minute". */
export function timeframeBefore(tokens: readonly Token[], at: number): Found | null {
  const adjective = ADJECTIVES.has(tokens[at]?.text ?? '') ? nameAt(NAMED, tokens, at) : null;
  return adjective ? { tf: adjective.value, next: adjective.next } : numbered(tokens, at);
}

/** A timeframe after an indicator or a whole condition: "on the 15 minute chart", "1h". */
export function timeframeAfter(tokens: readonly Token[], at: number): Found | null {
  const from = past(ON, tokens, at);
  const named = nameAt(NAMED, tokens, from);
  const tf = numbered(tokens, from) ?? (named && { tf: named.value, next: named.next });
  if (!tf) return null;
  // "1 RSI above 30 on day" has no timeframe, "on the daily" has one.
  const isShort = named !== null && !ADJECTIVES.has(tokens[from]?.text ?? '');
  const next = past(CHARTS, tokens, tf.next);
  return isShort && (from === at || next === tf.next) ? null : { tf: tf.tf, next };
}

/** Verbs of a moving price; followed by a side, they mean a crossing. */
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
  [
    'crosses_above',
    [
      ...sided(GOING, [...UPWARD, 'up']),
      ...sided(RISING, [...UPWARD, 'through']),
      ...words('reclaims, reclaim, reclaiming, reclaimed, back above, back over'),
    ],
  ],
  [
    'crosses_below',
    [
      ...sided(GOING, [...DOWNWARD, 'down']),
      ...sided(FALLING, [...DOWNWARD, 'through']),
      ...words('loses, back below, back under'),
    ],
  ],
]);

/** Comparisons after a number: "5 % or more". */
const SUFFIXES: Lexicon<Operator> = lexiconOf([
  [
    '>=',
    words(`
      +, or more, or higher, or greater, or better, or above, or over, plus, minimum, at least, min
    `),
  ],
  ['<=', ['or less', 'or lower', 'or fewer', 'or below', 'or under', 'maximum', 'at most', 'max']],
]);

/** Verbs of a crossing that need no side. */
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

export const isUnsided = (tokens: readonly Token[], at: number): boolean =>
  comparatorAt(tokens, at) === null && past(UNSIDED, tokens, at) > at;
