import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatShortDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

/** A delayed message; `createdAt` is epoch ms. */
export type DigestedMessage = { createdAt: number; message: Pick<ChatMessage, 'title' | 'lines'> };

/** The page of all triggers: its address from the `#` on. */
const TRIGGERS_PAGE = '#/watchlist/triggers';
const MAX_LINE = 110;
/** Characters of all lines, so that the message stays below each platform's limit. */
const MAX_TEXT = 1700;

const cut = (text: string): string =>
  [...text.slice(0, 2 * MAX_LINE)].length > MAX_LINE ? `${[...text].slice(0, MAX_LINE - 1).join('')}…` : text;

/** '21:04', with the date if it is not today. */
function momentOf(createdAt: number, now: number): string {
  const date = sydneyDate(createdAt);
  const today = sydneyDate(now);
  return date === today ? formatTime(createdAt) : `${formatShortDate(date, today)} ${formatTime(createdAt)}`;
}

const lineOf = ({ createdAt, message }: DigestedMessage, now: number): string =>
  cut(
    [momentOf(createdAt, now), message.title, message.lines[0] ?? '']
      .filter((part) => part !== '')
      .join(' · '),
  );

/** One message for several delayed ones: a line for each of `first`, and the number of further ones. */
export function digestMessage(
  first: readonly DigestedMessage[],
  more: number,
  now: number,
  publicUrl: string | null,
): ChatMessage {
  const lines: string[] = [];
  let length = 0;
  for (const one of first) {
    const line = lineOf(one, now);
    length += line.length + 1;
    if (length > MAX_TEXT) break;
    lines.push(line);
  }
  const count = first.length + more;
  const rest = count - lines.length;
  return {
    title: count === 1 ? 'One message during quiet hours' : `${count} messages during quiet hours`,
    lines: [...lines, ...(rest > 0 ? [`and ${rest} more`] : []), 'Times are in Sydney time.'],
    link: publicUrl === null ? null : { text: 'See all triggers', url: `${publicUrl}/${TRIGGERS_PAGE}` },
    page: TRIGGERS_PAGE,
    buttons: [],
  };
}
