import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatMinutes, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { plainLine } from '#texts/plainText.ts';

/** Why alerts could not see the market. */
export type BlindReason = 'stopped' | 'late' | 'down';

const MINUTE_MS = 60_000;
const MAX_SYMBOLS = 12;

/** @param since '10:42' */
const BEGUN: Readonly<Record<Exclude<BlindReason, 'down'>, (since: string) => string>> = {
  stopped: (since) => `No prices since ${since} Sydney. Your alerts can’t fire until prices are back.`,
  late: (since) =>
    `Prices have been far too late since ${since} Sydney, so your alerts fire late or not at all.`,
};

const ENDED: Readonly<Record<BlindReason, string>> = {
  stopped: 'There were no prices',
  late: 'Prices were far too late',
  down: 'Bellbird was not running',
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
    BEGUN[reason](moment(since, now)),
    'You will get one more message when prices are back.',
  ]);

function missedText(missed: readonly string[]): string {
  if (missed.length === 0) {
    return 'None of your alerts fired when prices came back; a move through a condition and back in between was missed.';
  }
  const shown = missed.slice(0, MAX_SYMBOLS).map((symbol) => plainLine(symbol, 12));
  const more = missed.length - shown.length;
  const list = more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
  const count = missed.length === 1 ? '1 of your symbols' : `${missed.length} of your symbols`;
  return `${count} moved through a condition in between: ${list}.`;
}

/**
 * Says that alerts see the market again.
 * @param span when it was blind, and now, epoch ms; `marketMs` of it were market hours
 * @param missed the person's symbols whose alerts fired when it was over
 */
export function seesAgainMessage(
  reason: BlindReason,
  span: { since: number; until: number; now: number; marketMs: number },
  missed: readonly string[],
): ChatMessage {
  const { since, until, now, marketMs } = span;
  const minutes = Math.max(1, Math.round(marketMs / MINUTE_MS));
  return message('Your alerts see the market again', [
    `${ENDED[reason]} from ${moment(since, now)} to ${moment(until, now)} Sydney, ${formatMinutes(minutes)} of market hours.`,
    missedText(missed),
  ]);
}
