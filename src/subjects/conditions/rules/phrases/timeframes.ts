import { isTimeframe, type Timeframe } from '#market/indicators/rules/timeframe.ts';
import { type Lexicon, lexiconOf, nameAt, names, past } from './lexicon.ts';
import type { Token } from './tokens.ts';

const NAMED: Lexicon<Timeframe> = lexiconOf([
  ['60', ['hourly', 'hour', 'h']],
  ['D', ['daily', 'day', 'd']],
  ['W', ['weekly', 'week', 'w']],
  ['M', ['monthly', 'month']],
]);
/** Said before the indicator's name, where "day" and "week" would be a part of its length. */
const ADJECTIVES: ReadonlySet<string> = new Set(['hourly', 'daily', 'weekly', 'monthly']);
const MINUTES = names('m', 'min', 'mins', 'minute', 'minutes');
const HOURS = names('h', 'hr', 'hrs', 'hour', 'hours', 'hourly');
const ONE = names('d', 'day', 'w', 'week', 'month');
const CHARTS = names('chart', 'charts', 'bar', 'bars', 'candle', 'candles', 'timeframe', 'tf', 'time frame');
const ON = names('on');

type Found = { tf: Timeframe; next: number };

const found = (tf: string, next: number): Found | null => (isTimeframe(tf) ? { tf, next } : null);

/** "5 minute", "1h", "4 hourly"; null for a length of bars that is not offered. */
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

/** A timeframe before an indicator: "hourly", "5 minute". */
export function timeframeBefore(tokens: readonly Token[], at: number): Found | null {
  const adjective = ADJECTIVES.has(tokens[at]?.text ?? '') ? nameAt(NAMED, tokens, at) : null;
  return adjective ? { tf: adjective.value, next: adjective.next } : numbered(tokens, at);
}

/** A timeframe behind an indicator or a whole condition: "on the 15 minute chart", "1h". */
export function timeframeAfter(tokens: readonly Token[], at: number): Found | null {
  const from = past(ON, tokens, at);
  const named = nameAt(NAMED, tokens, from);
  const tf = numbered(tokens, from) ?? (named && { tf: named.value, next: named.next });
  if (!tf) return null;
  // "1 RSI above 30 on day" says no timeframe, "on the daily" does.
  const isShort = named !== null && !ADJECTIVES.has(tokens[from]?.text ?? '');
  const next = past(CHARTS, tokens, tf.next);
  return isShort && (from === at || next === tf.next) ? null : { tf: tf.tf, next };
}
