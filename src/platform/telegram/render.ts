import type { ChatButton, ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { buttonData } from '../chatClients/received.ts';
import { fitted, REPEAT_MARK, withoutControls } from '../chatClients/messageText.ts';

/** Telegram's limit is at most as strict in UTF-16 units. */
const MAX_TEXT = 4096;
const MAX_TITLE = 512;
const MAX_LINK_TEXT = 128;
const MAX_LABEL = 64;
const MAX_BUTTONS = 99;
const BUTTONS_IN_A_ROW = 3;

/** A formatted range of the text, in UTF-16 units. */
export type TelegramEntity =
  | { type: 'bold' | 'italic'; offset: number; length: number }
  | { type: 'text_link'; offset: number; length: number; url: string };

type InlineKeyboard = { inline_keyboard: { text: string; callback_data: string }[][] };

export type TelegramText = {
  text: string;
  other: {
    entities: TelegramEntity[];
    link_preview_options: { is_disabled: true };
    reply_markup?: InlineKeyboard;
  };
};

function keyboard(buttons: readonly ChatButton[]): InlineKeyboard {
  const keys = buttons.slice(0, MAX_BUTTONS).map((button) => ({
    text: fitted(withoutControls(button.label), MAX_LABEL),
    callback_data: buttonData(button),
  }));
  const rows: (typeof keys)[] = [];
  for (let at = 0; at < keys.length; at += BUTTONS_IN_A_ROW) rows.push(keys.slice(at, at + BUTTONS_IN_A_ROW));
  return { inline_keyboard: rows };
}

/**
 * A message in plain text with separate formatting, so that nothing in it is markup. If it is too long, the lines
 * are cut; title, link and buttons stay.
 */
export function telegramText(
  message: ChatMessage,
  options: { mayRepeat: boolean; maxLength?: number },
): TelegramText {
  const title = fitted(withoutControls(message.title), MAX_TITLE);
  const entities: TelegramEntity[] = [{ type: 'bold', offset: 0, length: title.length }];
  let text = title;
  const begin = (): string => (text === '' ? '' : '\n');
  if (options.mayRepeat) {
    const line = begin() + REPEAT_MARK;
    entities.push({
      type: 'italic',
      offset: text.length + line.length - REPEAT_MARK.length,
      length: REPEAT_MARK.length,
    });
    text += line;
  }
  const link = message.link && {
    text: fitted(withoutControls(message.link.text), MAX_LINK_TEXT),
    url: message.link.url,
  };
  const lines = message.lines.map(withoutControls).join('\n');
  const room = (options.maxLength ?? MAX_TEXT) - text.length - (link === null ? 0 : link.text.length + 1) - 1;
  if (lines !== '') text += begin() + fitted(lines, room);
  if (link !== null) {
    entities.push({ type: 'text_link', offset: text.length + 1, length: link.text.length, url: link.url });
    text += `\n${link.text}`;
  }
  const reply = message.buttons.length === 0 ? {} : { reply_markup: keyboard(message.buttons) };
  return {
    text,
    other: {
      entities: entities.filter(({ length }) => length > 0),
      link_preview_options: { is_disabled: true },
      ...reply,
    },
  };
}

/** By how many characters a message exceeds Telegram's limit; 0 if it fits. */
export const telegramOverflow = (message: ChatMessage): number =>
  Math.max(
    0,
    telegramText(message, { mayRepeat: true, maxLength: Number.POSITIVE_INFINITY }).text.length - MAX_TEXT,
  );
