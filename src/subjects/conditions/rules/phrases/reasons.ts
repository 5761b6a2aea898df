import { comparatorAt, lexiconOf, nameAt, words, type Token } from './lexicon.ts';
import { fieldAt } from './fields.ts';
import { indicatorAt } from './indicators.ts';

/** Frequent requests that no field can express, each with an alternative. */
const TOPICS = lexiconOf<string>([
  [
    'Short interest is not available.',
    [
      'short interest',
      'short sold',
      'shorted',
      'short position',
      'short positions',
      'shorts',
      'short squeeze',
    ],
  ],
  [
    'Company figures such as earnings, dividends, valuation or debt are not available.',
    words(`
      earnings, dividend, dividends, yield, pe, p e, eps, revenue, profit, debt, roe, ex dividend,
      franking, results, report, quarterly report, cash, book value, ebitda
    `),
  ],
  [
    'Highs and lows are available for the day, for 52 weeks, and for the current calendar month, quarter and year.',
    words(`
      52 week, 52 weeks, 52 w, 52 wk, all time, all time high, 12 month, one year, multi year
    `),
  ],
  [
    'Conditions check one moment: they can’t count days or measure how long something has been true.',
    words(`
      in a row, in row, consecutive, straight, days, for days, streak, each day, every day, since,
      until, till, for, stays, remains, staying, holding, holds, still, consolidating
    `),
  ],
  [
    'Of earlier days, only the previous close is available.',
    words(`
      yesterday, last week, last month, last year, previous day, prior day, days ago, last quarter
    `),
  ],
  [
    'A condition can’t have an exception. Write what must be true as a separate condition.',
    words(`
      unless, except, if, without, never, neither, nor, not, no, isnt, arent, dont, doesnt
    `),
  ],
  [
    'Conditions can’t check the order of events.',
    ['then', 'after', 'before', 'followed', 'again', 'retest', 'retests', 'first', 'later'],
  ],
  [
    'Market depth (bids, asks and spreads) is not available.',
    ['bid', 'ask', 'spread', 'bids', 'depth', 'order book', 'sellers'],
  ],
  [
    'The surplus is not available, but a flip is: “surplus flips to buyers”.',
    ['surplus', 'buy surplus', 'imbalance'],
  ],
  [
    'Chart patterns are not available. Candle patterns from the price source are under Add indicator.',
    words(`
      cup, flag, wedge, triangle, pennant, head, shoulders, pattern, engulfing, doji, hammer, breakout,
      breakouts, double top, double bottom, trendline, trend line, channel, handle, inside day,
      inside bar, divergence, reversal
    `),
  ],
  [
    'Support and resistance are not available. Use a price or an indicator.',
    ['support', 'resistance', 'key level', 'pivot', 'pivots', 'fib', 'fibonacci'],
  ],
  [
    'The distance of a price from its high or another value is not available.',
    words(`
      off, off high, from high, from low, from peak, away from, within, distance, off low, peak
    `),
  ],
  [
    '“Close” may be yesterday’s or today’s. Write “previous close” or “last price”.',
    ['close', 'closes', 'closed', 'closing', 'daily close'],
  ],
  [
    'How cheap? For example “price under 20c”.',
    ['penny', 'cheap', 'specky', 'speccy', 'micro cap', 'microcap', 'nano cap', 'expensive'],
  ],
  [
    'Halted stocks are not checked, so a condition can’t use a halt.',
    ['halt', 'halted', 'suspended', 'halts'],
  ],
  [
    'Which average? For example “20-day average”.',
    ['average', 'averages', 'ma', 'moving average', 'ema', 'sma'],
  ],
  ['Which sector? Use its name in this market.', ['sector', 'sectors', 'industry']],
]);

const FALLBACK = 'Not recognised. Try a value, a comparison and a number, such as “RSI below 30”.';
const NO_COMMA = 'Use a point for decimals and commas for thousands: 1.5 and 1,500.';
const NO_TIMES =
  'Times of day and dates are not available. Minutes since the open are: “in the first 30 minutes”.';

function topicOf(tokens: readonly Token[]): string | null {
  for (let at = 0; at < tokens.length; at += 1) {
    const topic = nameAt(TOPICS, tokens, at);
    if (topic) return topic.value;
  }
  const strange = tokens.find(({ text, numbers }) => !numbers && /^\d/.test(text));
  if (strange?.text.includes(',')) return NO_COMMA;
  return strange ? NO_TIMES : null;
}

const shown = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

const isValue = (tokens: readonly Token[], end: number): boolean =>
  (fieldAt(tokens, 0) ?? indicatorAt(tokens, 0, (at) => at === end))?.next === end;

/**
 * @param tokens of the segment
 * @param rest the tokens that belong to no condition
 * @returns why the segment was not understood, as a sentence
 */
export function reasonFor(tokens: readonly Token[], rest: readonly Token[]): string {
  const topic = topicOf(rest) ?? topicOf(tokens);
  if (topic !== null) return topic;
  if (rest.length < tokens.length) return `“${shown(rest)}” was not recognised.`;
  const comparison = tokens.findIndex((_, at) => comparatorAt(tokens, at) !== null);
  const right = tokens.slice(comparatorAt(tokens, comparison)?.next ?? 0);
  if (comparison > 0 && !isValue(tokens, comparison)) {
    return `“${shown(tokens.slice(0, comparison))}” is not a known field or indicator.`;
  }
  if (comparison >= 0 && right.length > 0) return `“${shown(right)}” cannot be compared.`;
  return FALLBACK;
}

export const NEGATIONS: ReadonlySet<string> = new Set(
  words('not, no, non, ex, excluding, exclude, except, without, outside, other, apart, neither'),
);

/** Words with an effect beyond their own segment, which make its neighbours doubtful. */
const REACHING: ReadonlySet<string> = new Set([
  ...NEGATIONS,
  'never',
  'excludes',
  'excluded',
  'besides',
  'minus',
  'avoid',
  'avoiding',
  'ignore',
  'ignoring',
  'skip',
  'cannot',
  'cant',
  'wont',
  'wasnt',
  'hasnt',
  'unless',
  'until',
  'till',
  'nor',
  'for',
  'since',
  'yesterday',
  'last',
  'after',
  'before',
  'then',
  'during',
  'if',
  'only',
  'when',
  'always',
  'every',
  'each',
  'again',
  'first',
  'row',
  'consecutive',
  'ago',
  'isnt',
  'dont',
  'doesnt',
  'arent',
  'days',
  'weeks',
  'chart',
  'timeframe',
  'previous',
  'once',
  'while',
  'instead',
  'rather',
  'least',
  'most',
  'any',
  'all',
  'none',
]);

export const isReaching = (tokens: readonly Token[]): boolean =>
  tokens.some(({ text }) => REACHING.has(text));
