import type { chatBotsAnswer, linkedChatsAnswer } from '../../src/subjects/chats/answers/linkedChats.ts';
import type { Wire } from '../../src/lib/contract/fields.ts';

const CHATS: Wire<typeof linkedChatsAnswer> = [
  {
    platform: 'telegram',
    id: '123456789',
    display_name: 'Maggie',
    label: 'Maggie',
    confirmed: false,
    broken: null,
  },
  {
    platform: 'discord',
    id: '123456789012345678',
    display_name: null,
    label: '123456789012345678',
    confirmed: true,
    broken: 'The bot was blocked in this chat.',
  },
];
const BOTS: Wire<typeof chatBotsAnswer> = {
  telegram: { configured: true, name: 'bellbird_bot' },
  discord: { configured: false, name: null },
};

/** The linked chats' answers with all that this product says. */
export const OWN_CHAT_ANSWERS = {
  'GET /api/settings/linked-chats': CHATS,
  'GET /api/settings/chat-bots': BOTS,
};

/** With just what the specification names (section 7.1): a server gives a display name or a label. */
export const SPECIFIED_CHAT_ANSWERS = {
  'GET /api/settings/linked-chats': [
    { platform: 'telegram', id: '123456789', display_name: 'Maggie' },
    { platform: 'discord', id: '123456789012345678', label: 'maggie#1' },
  ],
  'GET /api/settings/chat-bots': { telegram: { configured: true }, discord: { configured: false } },
  'POST /api/settings/link-chat': { success: true, error: null },
  'POST /api/settings/unlink-chat': { success: true, error: null },
  'POST /api/link/claim': { success: true, error: null },
  'POST /api/link/offer': { platform: 'telegram', id: '123456789', label: 'Maggie' },
};
