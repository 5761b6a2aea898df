import type { ChatButton, ChatMessage } from '../../domain/chats/chatMessage.ts';
import { buttonData } from '../buttonData.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../messageText.ts';
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10';

const MAX_TEXT = 2000;
const MAX_TITLE = 400;
const MAX_LINK_TEXT = 200;
const MAX_LABEL = 80;
const MAX_ROWS = 5;
const BUTTONS_IN_A_ROW = 5;

/** What creating and editing a message takes. */
export type DiscordText = {
  content: string;
  flags: MessageFlags.SuppressEmbeds;
  /** A code or a name with an @ in it calls nobody. */
  allowed_mentions: { parse: [] };
  components: APIActionRowComponent<APIButtonComponentWithCustomId>[];
};

/**
 * Where Discord would see mark-up, a mention, an address or an emoji; and at the beginning of a line headings, small
 * print, quotes and lists. Elsewhere no backslash is put, because notifications of some phones show it.
 */
const MARK_UP =
  /[\\*_`]|~(?=~)|\|(?=\|)|\](?=\()|<(?=[@#:/a-z])|@(?=everyone|here)|:(?=\/\/|[\w~]{2,32}:)|^[#>-](?=[#>-]{0,2} )|(?<=^\d{1,9})\.(?= )/gim;

const fittedMarkdown = (text: string, max: number): string =>
  fitted(text, max, new Set([...text.matchAll(MARK_UP)].map(({ index }) => index)));

function components(buttons: readonly ChatButton[]): DiscordText['components'] {
  const keys = buttons.slice(0, MAX_ROWS * BUTTONS_IN_A_ROW).map(
    (button): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: button.action === 'confirm' ? ButtonStyle.Primary : ButtonStyle.Secondary,
      label: fitted(withoutControls(button.label), MAX_LABEL),
      custom_id: buttonData(button),
    }),
  );
  const rows: DiscordText['components'] = [];
  for (let at = 0; at < keys.length; at += BUTTONS_IN_A_ROW) {
    rows.push({ type: ComponentType.ActionRow, components: keys.slice(at, at + BUTTONS_IN_A_ROW) });
  }
  return rows;
}

/** An address that can stand between < and >, in which nothing is mark-up. */
const linkAddress = (url: string): string => url.replaceAll(/[<>\s]/g, encodeURIComponent);

/**
 * A message as Discord takes it: texts escaped, nobody mentioned, no preview of the link. What is too long loses the end
 * of its lines; title, link and buttons stay.
 */
export function discordText(
  message: ChatMessage,
  options: { mayRepeat: boolean; maxLength?: number },
): DiscordText {
  const title = fittedMarkdown(withoutControls(message.title), MAX_TITLE);
  const parts = title === '' ? [] : [`**${title}**`];
  if (options.mayRepeat) parts.push(`*${REPEAT_MARK}*`);
  const link =
    message.link &&
    `[${fittedMarkdown(withoutControls(message.link.text), MAX_LINK_TEXT)}](<${linkAddress(message.link.url)}>)`;
  const used = parts.join('\n').length + (link === null ? 0 : link.length + 1) + 1;
  const lines = message.lines.map(withoutControls).join('\n');
  if (lines !== '') parts.push(fittedMarkdown(lines, (options.maxLength ?? MAX_TEXT) - used));
  if (link !== null) parts.push(link);
  return {
    content: parts.join('\n'),
    flags: MessageFlags.SuppressEmbeds,
    allowed_mentions: { parse: [] },
    components: components(message.buttons),
  };
}

/** How many characters a message is too long for Discord, with all that is escaped in it; 0 when all of it fits. */
export const discordOverflow = (message: ChatMessage): number =>
  Math.max(
    0,
    discordText(message, { mayRepeat: true, maxLength: Number.POSITIVE_INFINITY }).content.length - MAX_TEXT,
  );
