import type { ButtonAction, ChatButton, ChatMessage } from './rules/chatMessage.ts';
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

const ACTIONS: Readonly<Record<ButtonAction, true>> = {
  snooze: true,
  off: true,
  on: true,
  why: true,
  confirm: true,
  refuse: true,
  scansnooze: true,
  scanoff: true,
  scanon: true,
  scanwhy: true,
  scanmute: true,
};

const isButtonAction = (text: string): text is ButtonAction => Object.hasOwn(ACTIONS, text);

/** A button as the platforms carry it, at most 64 bytes: `snooze:17`. */
export const buttonData = ({ action, target }: Pick<ChatButton, 'action' | 'target'>): string =>
  `${action}:${target}`;

/** Reads what a platform says was pressed; null when it is none of our buttons. */
export function readButtonData(data: string): Pick<ChatButton, 'action' | 'target'> | null {
  const [, action, digits] = /^([a-z]{1,16}):(\d{1,15})$/.exec(data) ?? [];
  if (action === undefined || !isButtonAction(action)) return null;
  return { action, target: Number(digits) };
}

/** A message of a channel, anyone who wrote it; times are epoch ms. Texts are as people wrote them: never markup. */
export type ChannelMessage = {
  messageId: string;
  timestamp: number;
  author: { id: string; displayName: string | null; username: string | null };
  content: string;
  attachments: readonly { id: string; name: string; contentType: string | null; url: string | null }[];
};

/** What a bot heard in a channel or group: a message, or that it was added or thrown out. */
export type HeardInChannel = {
  /** The platform's own ID. */
  chatId: string;
  /** `@name` of a public one; null otherwise. */
  chatName: string | null;
} & ({ kind: 'message'; message: ChannelMessage } | { kind: 'membership'; isIn: boolean });

/** A longer text or name of somebody else is cut: neither platform sends such. */
export const MAX_CONTENT = 4096;
export const MAX_NAME = 120;
export const MAX_ATTACHMENTS = 10;
