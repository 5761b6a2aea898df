import type { ChatMessage } from '../chatClients/rules/chatMessage.ts';
import type { MessagePlatform } from '../chatClients/rules/chatPlatform.ts';
import { isRecord, parseJson } from '#lib/json.ts';
import type { ChatTarget } from '../chatClients/sender.ts';

/** What was noted of a trigger, which only the maker of its message can read. */
export type TriggerNote = Readonly<Record<string, unknown>>;

/** A message that is to be sent. */
export type NewMessage = {
  platform: MessagePlatform;
  /** A chat unless it says otherwise. */
  target?: ChatTarget;
  chatId: string;
  /** Whom it is for; null for what goes to no user's chat. */
  userId: number | null;
  /** Quiet hours and digests of whom it is for may hold it. */
  mayWait?: boolean;
} & Content;

/** What it says, and the trigger that it tells of; null for any other message, and left out where it tells of no scan's. */
type Content =
  | { message: ChatMessage; triggerId: number | null; scanTriggerId?: number; broadcastId?: number }
  /** The message is made of the note and the trigger when it is sent. */
  | { note: TriggerNote; triggerId: number };

/** A message as it stands in the database: whole, or as it was noted. */
export type StoredMessage = ChatMessage | { note: TriggerNote };

/** The message of a noted trigger; null when that is gone, or the note can't be read. */
export type MessageMaker = (userId: number, triggerId: number, note: TriggerNote) => ChatMessage | null;

/** A message that waits, as its queue knows it. */
export type Waiting = {
  id: number;
  platform: MessagePlatform;
  target: ChatTarget;
  chatId: string;
  /** Epoch ms, as `dueAt`, before which it is not sent. */
  createdAt: number;
  dueAt: number;
};

/** A message that was marked as being sent. */
export type Taken = {
  id: number;
  target: ChatTarget;
  chatId: string;
  topicId: number | null;
  message: ChatMessage;
  nonce: string;
  /** When the first attempt was made that may have arrived, epoch ms; null when this is the first. */
  uncertainSince: number | null;
  /** The last message was not taken there: this one tries it again. */
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

/**
 * Reads a message as it stands in the database.
 * @returns null for what another version wrote, or nobody: one such row must not hold up the others
 */
export function readStoredMessage(text: string): StoredMessage | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return null;
  if (isChatMessage(parsed.value)) return parsed.value;
  const note = isRecord(parsed.value) ? parsed.value['note'] : null;
  return isRecord(note) ? { note } : null;
}
