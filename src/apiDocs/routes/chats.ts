import type { RouteDescriptions } from '../description.ts';

/** The chats of a user. */
export const CHATS: RouteDescriptions = {
  'GET /api/settings/linked-chats': {
    tag: 'Chats',
    summary: 'List the linked chats',
    description: 'Alerts go to confirmed chats alone.',
    example: {},
  },
  'GET /api/settings/chat-bots': {
    tag: 'Chats',
    summary: 'Which bots this server has',
    example: {},
  },
  'POST /api/settings/link-chat': {
    tag: 'Chats',
    summary: 'Link a chat by its ID',
    description: 'The chat is asked to confirm.',
    example: { body: { chatUserId: '123456789', platform: 'telegram' } },
  },
  'POST /api/settings/unlink-chat': {
    tag: 'Chats',
    summary: 'Unlink a chat',
    refusals: { 404: 'The chat is not linked to this account.' },
    example: { body: { chatUserId: '123456789', platform: 'telegram' } },
  },
  'POST /api/link/offer': {
    tag: 'Chats',
    summary: 'Which chat a link of a bot would link',
    description: 'The link stays good: it is used only when it is claimed.',
    example: { body: { token: 'the-token-of-the-link' } },
  },
  'POST /api/link/claim': {
    tag: 'Chats',
    summary: 'Link the chat that a bot gave a link to',
    example: { body: { token: 'the-token-of-the-link' } },
  },
};
