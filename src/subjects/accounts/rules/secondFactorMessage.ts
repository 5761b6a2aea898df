import type { ChatMessage } from '../../chats/rules/chatMessage.ts';

/** Tells a person's chats that an administrator took their second factor away. */
export const clearedMessage: ChatMessage = {
  title: 'Your two-factor login was cleared',
  lines: [
    'An administrator did it: you log in by your password alone now. Turn it on again in Settings, and ask them if you did not want it.',
  ],
  link: null,
  buttons: [],
};
