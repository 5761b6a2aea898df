import type { ChatMessage } from '../../domain/chats/chatMessage.ts';
import type { ChatPlatform } from '../../domain/chats/chatPlatform.ts';

/** A message that is to be sent. */
export type NewMessage = {
  platform: ChatPlatform;
  chatId: string;
  /** Whom it is for; null for what goes to no user's chat. */
  userId: number | null;
  /** The trigger that it tells of; null for any other message. */
  triggerId: number | null;
  message: ChatMessage;
};

/** A message that waits, as its queue knows it. */
export type Waiting = { id: number; platform: ChatPlatform; chatId: string; createdAt: number };

/** A message that was marked as being sent. */
export type Taken = {
  id: number;
  chatId: string;
  message: ChatMessage;
  nonce: string;
  attempt: number;
  /** When the first attempt was made that may have arrived, epoch ms; null when this is the first. */
  uncertainSince: number | null;
};

/** What became of a trigger's messages, the worst of them. */
export type Delivery = 'waiting' | 'sent' | 'failed';
