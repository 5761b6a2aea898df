/** The answers of the specification's section 7.7 about users and log files, and what this product says besides. */

const MAGGIE = {
  id: 7,
  username: 'maggie',
  email: 'maggie@example.com',
  subscriptionType: 'basic',
  requestedSubscriptionType: 'premium',
  promptTokens: 1200,
  completionTokens: 300,
  isAdmin: 0,
  telegramCount: 1,
  discordCount: 0,
  created_at: '2026-11-01T00:00:00Z',
};
const CHATS = [{ platform: 'telegram', id: '123456789', display_name: 'Maggie' }];

export const SPECIFIED_USER_ANSWERS = {
  'GET /api/admin/users': { users: [MAGGIE] },
  'GET /api/admin/users/7': { user: MAGGIE, linkedChats: CHATS },
  'PUT /api/admin/users/7': {},
  'POST /api/admin/calls/c1/admin-status': {},
  'GET /api/admin/logs': { logs: [{ name: 'bellbird.log', size: 2048, mtimeMs: 1_795_136_400_000 }] },
  'GET /api/admin/logs/bellbird.log/tail': { text: 'one\ntwo\n' },
  'DELETE /api/admin/logs/bellbird.log': {},
  // Not specified: this product's own, as it gives it at least.
  'GET /api/admin/audit': {
    entries: [
      { id: 2, at: '2026-11-20T00:00:00Z', by: null, action: 'roll back', target: 'abc1234' },
      {
        id: 1,
        at: '2026-11-19T00:00:00Z',
        by: { id: 1, display: 'boss' },
        action: 'edit user',
        target: 'maggie',
        before: { subscriptionType: 'free' },
        after: { subscriptionType: 'basic' },
        reason: null,
      },
    ],
    next: null,
  },
};

export const OWN_USER_ANSWERS = {
  'GET /api/admin/users': { users: [{ ...MAGGIE, isAdmin: true, email: null }], next: 7, total: 51 },
  'GET /api/admin/users/7': {
    user: { ...MAGGIE, telegramId: '123456789', discordId: null, upgradeRequestedAt: '2026-11-02T00:00:00Z' },
    linkedChats: [{ ...CHATS[0], label: 'Maggie', confirmed: true, broken: 'The bot was blocked.' }],
  },
  'GET /api/admin/logs': {
    logs: [
      { name: 'bellbird.log', size: 2048, mtimeMs: 1_795_136_400_000, current: true },
      { name: 'bellbird.log.1', size: 5_242_880, mtimeMs: 1_795_036_400_000, current: false },
    ],
  },
  'GET /api/admin/logs/bellbird.log/tail': {
    text: 'one\ntwo\n',
    file: '12-34',
    end: 8,
    cut: false,
    restarted: false,
  },
  'GET /api/admin/audit': {
    ...SPECIFIED_USER_ANSWERS['GET /api/admin/audit'],
    next: 1,
    actions: ['edit user', 'roll back'],
    administrators: [{ id: 1, display: 'boss' }],
  },
};
