import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../chatClients/messageText.ts';

const MAX_TEXT = 2000;
const MAX_TITLE = 400;
const MAX_LINK_TEXT = 200;

/**
 * Where Discord would see mark-up, a mention, an address or an emoji; and at the beginning of a line headings, small
 * print, quotes and lists. Elsewhere no backslash is put, because notifications of some phones show it.
 */
const MARK_UP =
  /[\\*_`]|~(?=~)|\|(?=\|)|\](?=\()|<(?=[@#:/a-z])|@(?=everyone|here)|:(?=\/\/|[\w~]{2,32}:)|^[#>-](?=[#>-]{0,2} )|(?<=^\d{1,9})\.(?= )/gim;

const fittedMarkdown = (text: string, max: number): string =>
  fitted(text, max, new Set([...text.matchAll(MARK_UP)].map(({ index }) => index)));

/** An address that can stand between < and >, in which nothing is mark-up. */
const linkAddress = (url: string): string => url.replaceAll(/[<>\s]/g, encodeURIComponent);

/** The text of a message: escaped; what is too long loses the end of its lines, title and link stay. */
export function discordContent(
  message: ChatMessage,
  { mayRepeat, maxLength = MAX_TEXT }: { mayRepeat: boolean; maxLength?: number },
): string {
  const title = fittedMarkdown(withoutControls(message.title), MAX_TITLE);
  const parts = title === '' ? [] : [`**${title}**`];
  if (mayRepeat) parts.push(`*${REPEAT_MARK}*`);
  const link =
    message.link &&
    `[${fittedMarkdown(withoutControls(message.link.text), MAX_LINK_TEXT)}](<${linkAddress(message.link.url)}>)`;
  const used = parts.join('\n').length + (link === null ? 0 : link.length + 1) + 1;
  const lines = message.lines.map(withoutControls).join('\n');
  if (lines !== '') parts.push(fittedMarkdown(lines, maxLength - used));
  if (link !== null) parts.push(link);
  return parts.join('\n');
}

/** How many characters a message is too long for Discord, with all that is escaped in it; 0 when all of it fits. */
export const discordOverflow = (message: ChatMessage): number =>
  Math.max(
    0,
    discordContent(message, { mayRepeat: true, maxLength: Number.POSITIVE_INFINITY }).length - MAX_TEXT,
  );
