import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';

/** Tells a person's chats that an administrator took their second factor away. */
export const clearedMessage: ChatMessage = {
  title: 'Your two-factor login was cleared',
  lines: [
    'An administrator did it: you log in by your password alone now. Turn it on again in Settings, and ask them if you did not want it.',
  ],
  link: null,
  buttons: [],
};

/** Warns an owner that someone with the password is trying codes. */
export const wrongCodesMessage: ChatMessage = {
  title: 'Five wrong codes for your account',
  lines: [
    'Somebody typed your password and then five wrong codes of your two-factor login within a day. If that was not you, change your password in Settings.',
  ],
  link: null,
  buttons: [],
};
