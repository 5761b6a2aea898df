/** The answers of a server without linked chats and with only Telegram’s bot set up. */
export const NO_CHATS = {
  'GET /api/devices': { body: { publicKey: 'a key', devices: [], adminMessages: true } },
  'GET /api/settings/linked-chats': { body: [] },
  'GET /api/settings/chat-bots': {
    body: {
      telegram: { configured: true, name: 'bellbird_bot' },
      discord: { configured: false, name: null },
    },
  },
};

export const aChat = (change: Record<string, unknown> = {}) => ({
  platform: 'telegram',
  id: '123456789',
  display_name: 'Maggie',
  label: 'Maggie',
  confirmed: true,
  broken: null,
  ...change,
});
