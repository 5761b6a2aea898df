import type { ButtonAction, ChatButton, ChatMessage } from './rules/chatMessage.ts';
import type { ChatPlatform } from './rules/chatPlatform.ts';

export type ChatEvent = {
  platform: ChatPlatform;
  /** Where the event happened and the answer goes: a Telegram chat or a Discord user. */
  chatId: string;
  /** The platform's ID of the person; null for messages in the name of a group or a channel. */
  personId: string | null;
  displayName: string | null;
  isGroup: boolean;
  topicId?: number | null;
} & (
  | { kind: 'text'; text: string }
  /** `shown`: the message of the button; null if it is no longer known. */
  | { kind: 'button'; action: ButtonAction; target: number; shown: ChatMessage | null }
);

/** `edits`: the reply replaces the message of the pressed button. Otherwise it is a new message. */
export type ChatReply = {
  message: ChatMessage;
  edits: boolean;
  /**
   * The real answer if it takes time. It never rejects, and the chat does not wait for it. `message` then
   * announces it, unless the platform has its own sign for that.
   */
  answer?: Promise<ChatMessage>;
};

export type ChatHandler = (event: ChatEvent) => Promise<ChatReply | null>;

const ACTIONS: Readonly<Record<ButtonAction, true>> = {
  snooze: true,
  off: true,
  on: true,
  why: true,
  confirm: true,
  refuse: true,
  callmute: true,
  scansnooze: true,
  scanoff: true,
  scanon: true,
  scanwhy: true,
  scanmute: true,
};

const isButtonAction = (text: string): text is ButtonAction => Object.hasOwn(ACTIONS, text);

/** A button in the form that platforms store, at most 64 bytes: `snooze:17`. */
export const buttonData = ({ action, target }: Pick<ChatButton, 'action' | 'target'>): string =>
  `${action}:${target}`;

/** Reads the data of a pressed button; null if it is unknown. */
export function readButtonData(data: string): Pick<ChatButton, 'action' | 'target'> | null {
  const [, action, digits] = /^([a-z]{1,16}):(\d{1,15})$/.exec(data) ?? [];
  if (action === undefined || !isButtonAction(action)) return null;
  return { action, target: Number(digits) };
}

/** A message of a channel. Times are epoch ms. Texts are plain text, never markup. */
export type ChannelMessage = {
  messageId: string;
  timestamp: number;
  author: { id: string; displayName: string | null; username: string | null };
  content: string;
  attachments: readonly { id: string; name: string; contentType: string | null; url: string | null }[];
};

export type ReceivedInChannel = {
  chatId: string;
  /** `@name` if the channel is public; otherwise null. */
  chatName: string | null;
} & ({ kind: 'message'; message: ChannelMessage } | { kind: 'membership'; isIn: boolean });

/** Longer texts and names are cut, although neither platform sends them. */
export const MAX_CONTENT = 4096;
export const MAX_NAME = 120;
export const MAX_ATTACHMENTS = 10;
