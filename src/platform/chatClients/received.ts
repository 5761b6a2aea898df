import type { ButtonAction, ChatMessage } from './rules/chatMessage.ts';
import type { ChatPlatform } from './rules/chatPlatform.ts';

/** Something that a person did in a chat with a bot. */
export type ChatEvent = {
  platform: ChatPlatform;
  /** Where it happened, and where an answer goes: a Telegram chat, a Discord user. */
  chatId: string;
  /** Who did it, by the platform's own ID; null if they write in the name of a group or a channel. */
  personId: string | null;
  displayName: string | null;
  /** The chat has more people than this one. */
  isGroup: boolean;
  /** The topic of a Telegram forum in which it happened; null or left out for none. */
  topicId?: number | null;
} & (
  | { kind: 'text'; text: string }
  /** `shown`: the message that the button stands under; null when it is not known any more. */
  | { kind: 'button'; action: ButtonAction; target: number; shown: ChatMessage | null }
);

/** What a bot answers. `edits`: it replaces the message whose button was pressed, else it is a new one. */
export type ChatReply = {
  message: ChatMessage;
  edits: boolean;
  /**
   * The answer itself where that takes its time: it never fails, and nothing else of the chat waits for it. `message` then
   * says that it comes; a platform with a sign of its own for that shows the sign.
   */
  answer?: Promise<ChatMessage>;
};

/** Makes the answer to an event; null when there is none. */
export type ChatHandler = (event: ChatEvent) => Promise<ChatReply | null>;
