import type { ChatMessage } from '../../domain/chats/chatMessage.ts';
import type { ChatPlatform } from '../../domain/chats/chatPlatform.ts';
import { isRecord, parseJson } from '../../lib/json.ts';
import type { ChatTarget } from '../sender.ts';

/** A message that is to be sent. */
export type NewMessage = {
  platform: ChatPlatform;
  /** A chat unless it says otherwise. */
  target?: ChatTarget;
  chatId: string;
  /** Whom it is for; null for what goes to no user's chat. */
  userId: number | null;
  /** The trigger that it tells of; null for any other message. */
  triggerId: number | null;
  message: ChatMessage;
};

/** A message that waits, as its queue knows it. */
export type Waiting = {
  id: number;
  platform: ChatPlatform;
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
  message: ChatMessage;
  nonce: string;
  /** When the first attempt was made that may have arrived, epoch ms; null when this is the first. */
  uncertainSince: number | null;
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
export function readStoredMessage(text: string): ChatMessage | null {
  const parsed = parseJson(text);
  return parsed.ok && isChatMessage(parsed.value) ? parsed.value : null;
}
