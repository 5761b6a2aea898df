import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../chatClients/messageText.ts';

const MAX_TEXT = 2000;
const MAX_TITLE = 400;
const MAX_LINK_TEXT = 200;

/**
 * Markup, mentions, addresses and emoji of Discord; at the start of a line also headings, small print, quotes and
 * lists. Other characters get no backslash, because notifications of some phones show it.
 */
const MARK_UP =
  /[\\*_`]|~(?=~)|\|(?=\|)|\](?=\()|<(?=[@#:/a-z])|@(?=everyone|here)|:(?=\/\/|[\w~]{2,32}:)|^[#>-](?=[#>-]{0,2} )|(?<=^\d{1,9})\.(?= )/gim;

const fittedMarkdown = (text: string, max: number): string =>
  fitted(text, max, new Set([...text.matchAll(MARK_UP)].map(({ index }) => index)));

const linkAddress = (url: string): string => url.replaceAll(/[<>\s]/g, encodeURIComponent);

/** The escaped text of a message. If it is too long, the lines are cut; title and link stay. */
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

/** How many characters of the escaped message exceed Discord's limit; 0 if it fits. */
export const discordOverflow = (message: ChatMessage): number =>
  Math.max(
    0,
    discordContent(message, { mayRepeat: true, maxLength: Number.POSITIVE_INFINITY }).length - MAX_TEXT,
  );
