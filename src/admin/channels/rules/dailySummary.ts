import { plainLine } from '../../../subjects/alerts/rules/plainText.ts';
import type { Call } from '../../../subjects/calls/rules/types.ts';
import type { ChatMessage } from '../../../subjects/chats/rules/chatMessage.ts';
import { formatDate, formatNumber, formatShortDate, formatSigned } from '../../../texts/format.ts';
import type { CallDay, WeekResults } from './callWeek.ts';
import type { Mover, ScannerMovers } from './movers.ts';

export type DailySummary = {
  /** The trading day, YYYY-MM-DD in Sydney. */
  date: string;
  /** Of the source: 'Simulated', 'Delayed 20 min'. */
  label: string;
  scanners: readonly ScannerMovers[];
  calls: CallDay;
  /** The server's public address, without a slash at its end; null when it has none. */
  publicUrl: string | null;
};

/** Of each list, so that all of it fits into a message of every platform. */
export const MAX_MOVERS = 3;
const MAX_CALLS = 5;
const MAX_SUBMITTER = 24;

const percentText = (percent: number): string => `${formatSigned(percent, 1)} %`;
const moverText = ({ code, percent }: Mover): string => `${code} ${percentText(percent)}`;
const submitterOf = (call: Call): string => plainLine(call.submittedBy.display, MAX_SUBMITTER);
const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Some of a list, and how many more there are. */
const listText = (texts: readonly string[], count: number): string =>
  count > texts.length ? `${texts.join(', ')} and ${count - texts.length} more` : texts.join(', ');

function scannerLine({ title, movers, count }: ScannerMovers): string {
  return `${title}: ${count === 0 ? 'no stocks' : listText(movers.map(moverText), count)}`;
}

const openedText = (call: Call): string =>
  `${call.symbol} by ${submitterOf(call)} (${call.callType} at ${formatNumber(call.entryPrice, 3)})`;

function closedText(call: Call): string {
  const { verified, awaitingTrade } = call;
  const pending = awaitingTrade === null ? 'no verified result' : 'awaits its next trade';
  return `${call.symbol} by ${submitterOf(call)} (${verified === null ? pending : percentText(verified.percent)})`;
}

function callLine(what: string, calls: readonly Call[], textOf: (call: Call) => string): string {
  if (calls.length === 0) return `Calls ${what}: none`;
  return `Calls ${what}: ${listText(calls.slice(0, MAX_CALLS).map(textOf), calls.length)}`;
}

/** The index of trust: what the recorded prices say of the week's calls. */
function trustLine({ since, ended, running, gained, mean }: WeekResults, date: string): string {
  const total = ended + running;
  const head = `Verified results since ${formatShortDate(since, date)}:`;
  if (mean === null) return `${head} none yet`;
  const open = running === 0 ? '' : `, ${running} of them open at the last price`;
  return `${head} ${gained} of ${plural(total, 'call')} gained${open}; mean ${percentText(mean)}`;
}

/** What channels are told after the close: the movers of each scanner, the day's calls, the week's verified results. */
export function dailySummary({ date, label, scanners, calls, publicUrl }: DailySummary): ChatMessage {
  return {
    title: `Market summary · ${formatDate(date)} · ${label}`,
    lines: [
      ...scanners.map(scannerLine),
      callLine('opened', calls.opened, openedText),
      callLine('closed', calls.closed, closedText),
      trustLine(calls.week, date),
    ],
    link: publicUrl === null ? null : { text: 'Open Bellbird', url: publicUrl },
    buttons: [],
  };
}
