import type { ChatMessage } from '../chats/chatMessage.ts';
import { formatDate, formatMinutes, formatTime } from '../format.ts';
import { sydneyDate } from '../market/sydneyTime.ts';
import { plainLine } from './plainText.ts';

/** Why alerts could not see the market. */
export type BlindReason = 'stopped' | 'late' | 'down';

const MINUTE_MS = 60_000;
const MAX_SYMBOLS = 12;

const BEGUN: Readonly<Record<Exclude<BlindReason, 'down'>, string>> = {
  stopped: 'No prices come in',
  late: 'Prices come in far too late',
};

const message = (title: string, lines: readonly string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

/** '10:42', with the date when it is another than today's. */
const moment = (time: number, now: number): string =>
  sydneyDate(time) === sydneyDate(now)
    ? formatTime(time)
    : `${formatTime(time)}, ${formatDate(sydneyDate(time))}`;

/**
 * Says that alerts can't see the market.
 * @param since when it began, @param now epoch ms
 */
export const blindMessage = (reason: Exclude<BlindReason, 'down'>, since: number, now: number): ChatMessage =>
  message('Your alerts can’t see the market', [
    `${BEGUN[reason]} since ${moment(since, now)} Sydney. Until they do, your alerts do not fire.`,
    'You get one more message when they see again.',
  ]);

function missedText(missed: readonly string[]): string {
  if (missed.length === 0) return 'None of your symbols moved through a condition meanwhile.';
  const shown = missed.slice(0, MAX_SYMBOLS).map((symbol) => plainLine(symbol, 12));
  const more = missed.length - shown.length;
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  const count = missed.length === 1 ? '1 of your symbols' : `${missed.length} of your symbols`;
  return `${count} moved through a condition meanwhile: ${list}.`;
}

/**
 * Says that alerts see the market again.
 * @param span when it was blind, and now, epoch ms; `marketMs` of it were market hours
 * @param missed the person's symbols of which a condition that did not hold before holds now
 */
export function seesAgainMessage(
  reason: BlindReason,
  span: { since: number; until: number; now: number; marketMs: number },
  missed: readonly string[],
): ChatMessage {
  const { since, until, now, marketMs } = span;
  const minutes = Math.max(1, Math.round(marketMs / MINUTE_MS));
  const why = reason === 'down' ? 'Bellbird was not running' : 'They saw nothing';
  return message('Your alerts see the market again', [
    `${why} from ${moment(since, now)} to ${moment(until, now)} Sydney, ${formatMinutes(minutes)} of market hours.`,
    missedText(missed),
  ]);
}
