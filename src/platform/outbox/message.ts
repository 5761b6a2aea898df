import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import type { ChatTarget } from '../chatClients/sender.ts';

/** The facts of an event, readable only by the maker of its message. */
export type TriggerNote = Readonly<Record<string, unknown>>;

export type NewMessage = {
  platform: MessagePlatform;
  target?: ChatTarget;
  chatId: string;
  /** The recipient; null if it is not a user. */
  userId: number | null;
  /** The recipient's quiet hours and digests may delay it. */
  mayWait?: boolean;
} & Content;

/** The text and the trigger that it is about, if any. */
type Content =
  | { message: ChatMessage; triggerId: number | null; scanTriggerId?: number; broadcastId?: number }
  /** The message is made from the note when it is sent. */
  | { note: TriggerNote; triggerId: number | null };

export type StoredMessage = ChatMessage | { note: TriggerNote };

/** The message of a noted event; null if the user no longer gets it or the note is unreadable. */
export type MessageMaker = (
  userId: number,
  triggerId: number | null,
  note: TriggerNote,
) => ChatMessage | null;

export type Waiting = {
  id: number;
  platform: MessagePlatform;
  target: ChatTarget;
  chatId: string;
  /** Both are epoch ms. The message is not sent before `dueAt`. */
  createdAt: number;
  dueAt: number;
};

export type Claimed = {
  id: number;
  target: ChatTarget;
  chatId: string;
  topicId: number | null;
  message: ChatMessage;
  nonce: string;
  /** When the first attempt was made that may have arrived, epoch ms; null on the first attempt. */
  uncertainSince: number | null;
  wasBroken: boolean;
};

const isButton = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['action'] === 'string' &&
  typeof value['target'] === 'number' &&
  typeof value['label'] === 'string';

const isLink = (value: unknown): boolean =>
  value === null ||
  (isRecord(value) && typeof value['text'] === 'string' && typeof value['url'] === 'string');

function isChatMessage(value: unknown): value is ChatMessage {
  if (!isRecord(value) || typeof value['title'] !== 'string' || !isLink(value['link'])) return false;
  const { lines, buttons } = value;
  if (!Array.isArray(lines) || !Array.isArray(buttons)) return false;
  return lines.every((line) => typeof line === 'string') && buttons.every(isButton);
}

/** Reads a message of the database. @returns null for an unreadable one, which must not block the others */
export function readStoredMessage(text: string): StoredMessage | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  if (isChatMessage(parsed.value)) return parsed.value;
  const note = isRecord(parsed.value) ? parsed.value['note'] : null;
  return isRecord(note) ? { note } : null;
}
