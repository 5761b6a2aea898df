import type { ChatMessage } from './chatMessage.ts';

/**
 * Asks a chat whose ID somebody typed whether it is theirs.
 *
 * @param linkId the linked chat's id, which the buttons act on
 */
export const confirmQuestion = (linkId: number, username: string): ChatMessage => ({
  title: 'Is this chat yours?',
  lines: [
    `The Bellbird account "${username}" asks to have its alerts sent to this chat.`,
    'Nothing is sent until you confirm. If this was not you, press Refuse.',
  ],
  link: null,
  buttons: [
    { action: 'confirm', target: linkId, label: 'Confirm' },
    { action: 'refuse', target: linkId, label: 'Refuse' },
  ],
});

/** Tells a chat to which account it belongs from now on. */
export const linkedNotice = (username: string): ChatMessage => ({
  title: 'Chat linked',
  lines: [
    `This chat is linked to the Bellbird account "${username}". Its alerts can be sent here now.`,
    'Send /unlink to end that, /help to see what you can ask.',
  ],
  link: null,
  buttons: [],
});
