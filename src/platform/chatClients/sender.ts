import type { ChatMessage } from './rules/chatMessage.ts';
import type { PushService } from '../push/rules/pushService.ts';
import type { MessagePlatform } from './rules/chatPlatform.ts';

/**
 * The kind of a destination. `chat`: a conversation with the bot; on Discord the user. `channel`: a channel or
 * group. `everybody`: a device that gets a broadcast. Messages to people go first.
 */
export type ChatTarget = 'chat' | 'channel' | 'everybody';

export type Outgoing = {
  target: ChatTarget;
  chatId: string;
  /** The topic of a Telegram forum; null or omitted for none. */
  topicId?: number | null;
  message: ChatMessage;
  /** At most 25 characters, and the same in each attempt. */
  nonce: string;
  /** True if an earlier attempt may have arrived. The text then says so. */
  mayRepeat: boolean;
};

/**
 * The outcome of an attempt. No `reason` contains a token or an address. For broken chats and refused messages it
 * is a sentence for a person; otherwise it completes a sentence that begins with the platform's name.
 */
export type SendOutcome =
  /** `messageId`: the platform's own. `topicIsGone`: the message went to the group, because the topic is closed. */
  | { kind: 'sent'; messageId: string; topicIsGone?: true }
  /** The message did not arrive. `afterMs`: the delay that the platform demands; null if unknown. */
  | { kind: 'later'; afterMs: number | null; scope: 'chat' | 'platform'; reason: string }
  /** The message may have arrived. `afterMs`: the delay that the platform demands of the bot. */
  | { kind: 'unknown'; reason: string; afterMs?: number }
  /** Nothing can be delivered to this chat. `isGone`: permanently. */
  | { kind: 'chatBroken'; reason: string; isGone?: true }
  /** The platform refuses the bot's token, so nothing can be delivered. */
  | { kind: 'botBroken'; reason: string }
  | { kind: 'refused'; reason: string }
  /** The chat has a new ID. The message did not arrive. */
  | { kind: 'moved'; chatId: string };

export type PlatformCheck =
  | { kind: 'up' }
  | { kind: 'down'; reason: string }
  | { kind: 'botBroken'; reason: string };

export type SendLimits = {
  perSecond: number;
  /** Minimum time between two messages to one chat, ms. */
  chatGapMs: number;
  /** Maximum messages to this chat in a minute; null for no limit. */
  chatPerMinute(chatId: string): number | null;
  /** True if a demanded delay states whether it applies to the chat or the bot. */
  namesScope: boolean;
};

export type Sender = {
  platform: MessagePlatform;
  /** The push service of web push. Each has its own queue. */
  service?: PushService;
  limits: SendLimits;
  /** How long the platform recognises a nonce and drops a duplicate, ms; 0 if it ignores nonces. */
  remembersNonceMs: number;
  send(outgoing: Outgoing): Promise<SendOutcome>;
  check(): Promise<PlatformCheck>;
};
