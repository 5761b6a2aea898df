import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { plainLine } from '#texts/plainText.ts';

const MAX_NAME = 80;

/**
 * Asks in a chat whose ID somebody typed into their settings whether it is theirs; nothing else is sent to it before.
 * @param linkedChatId what the buttons act on
 */
export const confirmRequest = (username: string, linkedChatId: number): ChatMessage => ({
  title: 'Is this your chat?',
  lines: [
    `The Bellbird account ${plainLine(username, MAX_NAME)} wants to send its alerts here.`,
    'Nothing is sent until you confirm. If that account is not yours, press No.',
  ],
  link: null,
  buttons: [
    { action: 'confirm', target: linkedChatId, label: 'Yes, send alerts here' },
    { action: 'refuse', target: linkedChatId, label: 'No' },
  ],
});

/** Takes the place of the question once its owner has confirmed. */
export const confirmedMessage = (username: string): ChatMessage => ({
  title: 'Chat linked',
  lines: [
    `Alerts from the Bellbird account ${plainLine(username, MAX_NAME)} now come here.`,
    '/help says what else I can do.',
  ],
  link: null,
  buttons: [],
});

/** Takes the place of the question once it was refused. */
export const refusedMessage = (): ChatMessage => ({
  title: 'Not linked',
  lines: ['Nothing will be sent here.'],
  link: null,
  buttons: [],
});

/** The question was taken back, answered before, or the chat belongs to another account by now. */
export const staleRequestMessage = (): ChatMessage => ({
  title: 'Not linked',
  lines: ['This question has expired. Link the chat again in Settings, or send /link.'],
  link: null,
  buttons: [],
});
