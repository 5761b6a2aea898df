import { changed, notChanged, sent } from '#lib/contract/requests.ts';
import { choice, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { chatBotsAnswer, linkedChatsAnswer, offerAnswer } from './answers/linkedChats.ts';
import { CHAT_PLATFORMS, NO_CHAT_ID } from '#platform/chatClients/rules/chatPlatform.ts';

const platform = sent(choice(CHAT_PLATFORMS), { error: 'Choose Telegram or Discord.' });
const chatUserId = sent(text, { maxLength: 200, error: NO_CHAT_ID });
const ofLink = object({ token: sent(text, { maxLength: 200, error: 'The link has no valid token.' }) });
const change = { answer: changed, refusalForms: { 400: notChanged } } as const;

const CHAT = { chatUserId: '123456789', platform: 'telegram' };
const LINK = { token: 'the-token-of-the-link' };

export const CHATS = {
  'GET /api/settings/linked-chats': {
    access: 1,
    tag: 'Chats',
    summary: 'List linked chats',
    description: 'Alerts are sent to confirmed chats only.',
    answer: linkedChatsAnswer,
    example: {},
  },
  'GET /api/settings/chat-bots': {
    access: 1,
    tag: 'Chats',
    summary: 'List the server’s bots',
    answer: chatBotsAnswer,
    example: {},
  },
  'POST /api/settings/link-chat': {
    access: 1,
    tag: 'Chats',
    summary: 'Link a chat by ID',
    description: 'The bot asks for confirmation in the chat.',
    body: object({ chatUserId, platform }),
    ...change,
    example: { body: CHAT },
  },
  'POST /api/settings/unlink-chat': {
    access: 1,
    tag: 'Chats',
    summary: 'Unlink a chat',
    body: object({ chatUserId, platform: optional(platform) }),
    ...change,
    refusals: { 404: 'The chat is not linked to this account.' },
    example: { body: CHAT },
  },
  'POST /api/link/offer': {
    access: 1,
    tag: 'Chats',
    summary: 'Read which chat a link belongs to',
    description: 'Does not use up the link.',
    body: ofLink,
    answer: offerAnswer,
    example: { body: LINK },
  },
  'POST /api/link/claim': {
    access: 1,
    tag: 'Chats',
    summary: 'Link the chat of a bot’s link',
    body: ofLink,
    ...change,
    example: { body: LINK },
  },
} as const satisfies RouteContracts;
