import { type Head, headText } from '#subjects/calls/rules/ledger/line.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import { formatDate } from '#texts/format.ts';

/** After the daily summary, and also on days without one. */
const HOUR = 19;

/**
 * The day whose head is to be told now: from 19:00 in Sydney to midnight.
 *
 * @param now epoch ms, by the wall clock, as the ledger's times are
 * @returns the Sydney date, YYYY-MM-DD, and since when it is told, epoch ms; null before 19:00
 */
export function headDay(now: number): { date: string; since: number } | null {
  const date = sydneyDate(now);
  const since = fromSydney(date, HOUR, 0);
  return now < since ? null : { date, since };
}

/**
 * What a channel is told of the ledger: with it everybody who reads there can tell later whether a line of before was
 * changed.
 *
 * @param publicUrl the server's public address, without a slash at its end; null when it has none
 */
export const headMessage = (head: Head, date: string, publicUrl: string | null): ChatMessage => ({
  title: `Ledger of calls · ${formatDate(date)}`,
  lines: [
    `Line and hash: ${headText(head)}`,
    'As long as the ledger contains them, nothing up to that line was changed.',
  ],
  link: publicUrl === null ? null : { text: 'Verify', url: `${publicUrl}/#/calls/ledger` },
  buttons: [],
});
