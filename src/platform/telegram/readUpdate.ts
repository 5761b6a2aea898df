import { plainLine } from '#texts/plainText.ts';
import type { ChatButton, ChatMessage } from '../chatClients/rules/chatMessage.ts';
import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readList, readRecord } from '#lib/read.ts';
import { type ChatEvent, readButtonData } from '../chatClients/received.ts';
import { REPEAT_MARK } from '../chatClients/messageText.ts';

export const BLOCKED = 'The bot is blocked in this Telegram chat. Unblock it.';
export const NOT_IN_GROUP = 'The bot is no longer in this Telegram group. Add it again.';
export const NO_RIGHTS = 'The bot may not write in this Telegram group.';

export type TelegramEvent = {
  event: ChatEvent;
  /** Id of a pressed button. The app shows a spinner until it is acknowledged. */
  callbackId: string | null;
  messageId: number | null;
  topicId: number | null;
};

const MAX_NAME = 80;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && value !== 0;
const textOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

function displayNameOf(chat: JsonRecord, isGroup: boolean): string | null {
  const name = isGroup
    ? textOr(chat['title'], '')
    : `${textOr(chat['first_name'], '')} ${textOr(chat['last_name'], '')}`;
  return plainLine(name, MAX_NAME) || null;
}

/**
 * The chat and person of an event; null for channels, bots and unknown forms.
 * @param senderChat the group or channel of an anonymous administrator, whom Telegram shows as a bot
 */
function originOf(chat: JsonRecord, from: JsonRecord, senderChat: unknown) {
  const { id, type } = chat;
  const isAnonymous = isRecord(senderChat) && from['is_bot'] === true;
  if (!isId(id) || !isId(from['id']) || (from['is_bot'] === true && !isAnonymous)) return null;
  const isGroup = type === 'group' || type === 'supergroup';
  if (!isGroup && type !== 'private') return null;
  return {
    platform: 'telegram' as const,
    chatId: String(id),
    personId: isAnonymous ? null : String(from['id']),
    displayName: displayNameOf(chat, isGroup),
    isGroup,
  };
}

/** Text for the bot in a group: a command with its name, or a text that mentions it. Other messages are ignored. */
function addressedText(text: string, botName: string): string | null {
  const mention = `@${botName.toLowerCase()}`;
  const words = text.trim().split(/\s{1,200}/);
  const isToBot = (word: string): boolean => {
    const lower = word.toLowerCase();
    return lower === mention || (lower.startsWith('/') && lower.endsWith(mention));
  };
  if (!words.some(isToBot)) return null;
  return words
    .filter((word) => word.toLowerCase() !== mention)
    .map((word) => (isToBot(word) ? word.slice(0, -mention.length) : word))
    .join(' ');
}

const topicOf = ({ is_topic_message: isInTopic, message_thread_id: id }: JsonRecord): number | null =>
  isInTopic === true && isId(id) ? id : null;

function readMessage(message: JsonRecord, botName: string): TelegramEvent | null {
  const { chat, from, sender_chat: senderChat } = message;
  const origin = originOf(readRecord(chat), readRecord(from), senderChat);
  if (!origin) return null;
  const sent = textOr(message['text'], textOr(message['caption'], ''));
  const text = origin.isGroup ? addressedText(sent, botName) : sent;
  if (text === null) return null;
  const topicId = topicOf(message);
  const event = { ...origin, topicId, kind: 'text' as const, text };
  return { event, callbackId: null, messageId: null, topicId };
}

function readButton(value: unknown): ChatButton | null {
  const { text, callback_data: data } = readRecord(value);
  const button = typeof data === 'string' ? readButtonData(data) : null;
  return button && typeof text === 'string' ? { ...button, label: text } : null;
}

/** Reads one of our messages back from the chat; null if it is not available. */
function readShown(message: JsonRecord): ChatMessage | null {
  const { text } = message;
  if (typeof text !== 'string') return null;
  const entities = readList(message['entities'], (entity) => (isRecord(entity) ? entity : null));
  const [linked] = entities.filter(({ type, url }) => type === 'text_link' && typeof url === 'string');
  const end = linked ? Number(linked['offset']) : text.length;
  const [title = '', ...lines] = text.slice(0, end).trimEnd().split('\n');
  const rows = readRecord(message['reply_markup'])['inline_keyboard'];
  return {
    title,
    lines: lines.filter((line) => line !== REPEAT_MARK),
    link: linked ? { text: text.slice(end), url: textOr(linked['url'], '') } : null,
    buttons: readList(Array.isArray(rows) ? rows.flat() : [], readButton),
  };
}

function readButtonPress(query: JsonRecord): TelegramEvent | null {
  const { id, data } = query;
  const message = readRecord(query['message']);
  const origin = originOf(readRecord(message['chat']), readRecord(query['from']), null);
  const button = typeof data === 'string' ? readButtonData(data) : null;
  if (!origin || !button || typeof id !== 'string') return null;
  const shown = readShown(message);
  const messageId = shown && isId(message['message_id']) ? message['message_id'] : null;
  const topicId = topicOf(message);
  const event = { ...origin, topicId, kind: 'button' as const, ...button, shown };
  return { event, callbackId: id, messageId, topicId };
}

/**
 * Reads one update tolerantly. Ignores edited messages, channel posts, other bots, other conversations in groups
 * and unknown forms.
 * @param botName the bot's username, without the @
 */
export function readUpdate(update: JsonRecord, botName: string): TelegramEvent | null {
  if (isRecord(update['callback_query'])) return readButtonPress(update['callback_query']);
  return isRecord(update['message']) ? readMessage(update['message'], botName) : null;
}

/** The old and new ID of a group that became a supergroup; null for other updates. */
export function readMigration(update: JsonRecord): { from: string; to: string } | null {
  const message = readRecord(update['message']);
  const { id } = readRecord(message['chat']);
  // Telegram reports it in both groups.
  const { migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  if (!isId(id)) return null;
  if (isId(to)) return { from: String(id), to: String(to) };
  return isId(from) ? { from: String(from), to: String(id) } : null;
}

export const MEMBERS: ReadonlySet<unknown> = new Set(['creator', 'administrator', 'member']);

/**
 * Whether the bot may write into a chat: it was blocked, unblocked, added to a group or removed. `trouble`: why
 * not, a sentence. @returns null for other updates
 */
export function readMembership(update: JsonRecord): { chatId: string; trouble: string | null } | null {
  const change = readRecord(update['my_chat_member']);
  const { id, type } = readRecord(change['chat']);
  if (!isId(id) || (type !== 'private' && type !== 'group' && type !== 'supergroup')) return null;
  const { status, is_member: isMember, can_send_messages: canSend } = readRecord(change['new_chat_member']);
  const chatId = String(id);
  if (MEMBERS.has(status) || (status === 'restricted' && isMember === true && canSend === true)) {
    return { chatId, trouble: null };
  }
  if (type === 'private') return { chatId, trouble: BLOCKED };
  return { chatId, trouble: status === 'restricted' && isMember === true ? NO_RIGHTS : NOT_IN_GROUP };
}

export function updateIdOf(update: unknown): number | null {
  const id = readRecord(update)['update_id'];
  return Number.isSafeInteger(id) && Number(id) >= 0 ? Number(id) : null;
}
