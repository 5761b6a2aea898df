import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { note } from './linkReplies.ts';

/** A chat or device that took messages and takes none now. */
export type BrokenPlace = {
  /** 'the Telegram chat Anna'. */
  what: string;
  /** A sentence. */
  reason: string;
  /** It will never take any. */
  isGone: boolean;
};

const PAGE = '#/settings';

/** For the owner's other chats and devices. @param publicUrl without a slash at its end; null if it is not known */
export const brokenMessage = (
  { what, reason, isGone }: BrokenPlace,
  publicUrl: string | null,
): ChatMessage => ({
  title: `Alerts don’t reach ${what}`,
  lines: [reason, ...(isGone ? [] : ['Bellbird tries it again with your next alert after an hour.'])],
  link: publicUrl === null ? null : { text: 'Open Settings', url: `${publicUrl}/${PAGE}` },
  page: PAGE,
  buttons: [],
});

/** For a chat that takes messages again. */
export const healedMessage = (): ChatMessage => note('Alerts come here again');
