import type { ChatMessage } from './rules/chatMessage.ts';
import type { PushService } from '../push/rules/pushService.ts';
import type { MessagePlatform } from './rules/chatPlatform.ts';

/**
 * What an ID names. `chat`: where a person talks with the bot; on Discord the person. `channel`: a channel or group itself.
 * `everybody`: a device, as one of all that an administrator writes to. What goes to channels and to everybody waits behind
 * what goes to a person.
 */
export type ChatTarget = 'chat' | 'channel' | 'everybody';

/** A message as it is handed to a platform. */
export type Outgoing = {
  target: ChatTarget;
  chatId: string;
  /** The topic of a Telegram forum that it goes to; null or left out for none. */
  topicId?: number | null;
  message: ChatMessage;
  /** At most 25 characters; the same at every attempt to send this message. */
  nonce: string;
  /** An earlier attempt may have arrived: the text says so. */
  mayRepeat: boolean;
};

/**
 * What became of a message. No `reason` holds a token or an address. Those of broken chats and refused messages are
 * sentences for a person; the others complete a sentence that begins with the platform's name.
 */
export type SendOutcome =
  /** `messageId`: the platform's own. `topicIsGone`: it went to the group, because the topic takes nothing any more. */
  | { kind: 'sent'; messageId: string; topicIsGone?: true }
  /** It certainly did not arrive. `afterMs` is what the platform asked for, null when it did not say. */
  | { kind: 'later'; afterMs: number | null; scope: 'chat' | 'platform'; reason: string }
  /** It may have arrived. `afterMs`: the platform asked all of us to wait for so long. */
  | { kind: 'unknown'; reason: string; afterMs?: number }
  /** Nothing can be delivered to this chat. `isGone`: nor will it ever be. */
  | { kind: 'chatBroken'; reason: string; isGone?: true }
  /** The bot's token is not taken: nothing can be delivered at all. */
  | { kind: 'botBroken'; reason: string }
  /** This one message is not taken. */
  | { kind: 'refused'; reason: string }
  /** The chat has another ID from now on; the message did not arrive. */
  | { kind: 'moved'; chatId: string };

/** Whether a platform takes messages at all. */
export type PlatformCheck =
  | { kind: 'up' }
  | { kind: 'down'; reason: string }
  | { kind: 'botBroken'; reason: string };

/** How many messages a platform takes. */
export type SendLimits = {
  /** Of all chats together, in a second. */
  perSecond: number;
  /** Least time between two messages to one chat, ms. */
  chatGapMs: number;
  /** Most messages to this chat in a minute; null when there is no such limit. */
  chatPerMinute(chatId: string): number | null;
  /** When it asks to wait, it says whether one chat is meant or the whole bot. */
  namesScope: boolean;
};

/** One platform, as the outbox sees it. */
export type Sender = {
  platform: MessagePlatform;
  /** Of web push the service that it sends to: each has a queue of its own. */
  service?: PushService;
  limits: SendLimits;
  /** How long the platform recognises a nonce and sends nothing twice, ms; 0 when it does not look at it. */
  remembersNonceMs: number;
  /** Makes one attempt; never rejects. */
  send(outgoing: Outgoing): Promise<SendOutcome>;
  /** Asks the platform for something harmless; never rejects. */
  check(): Promise<PlatformCheck>;
};
