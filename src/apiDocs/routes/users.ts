import { t } from 'elysia';
import type { RouteDescriptions } from '../description.ts';

const idOrNull = t.Optional(t.Nullable(t.String()));
const paidOrNull = t.Optional(t.Unsafe({ enum: ['basic', 'premium', null] }));
const fields = {
  telegramId: idOrNull,
  discordId: idOrNull,
  subscriptionType: t.Optional(t.UnionEnum(['free', 'basic', 'premium'])),
  requestedSubscriptionType: paidOrNull,
};

/** What administrators do with accounts. */
export const USERS: RouteDescriptions = {
  'GET /api/admin/users': {
    tag: 'Users',
    summary: 'Search the accounts',
    description:
      'By words of the username and email, newest first. `next` is the `before` of the request for the next page.',
    example: { query: { q: 'caller' } },
  },
  'GET /api/admin/users/:id': {
    tag: 'Users',
    summary: 'Read an account with its linked chats',
    refusals: { 404: 'There is no such account, or it was deleted.' },
    example: { params: { id: '2' } },
  },
  'PUT /api/admin/users/:id': {
    tag: 'Users',
    summary: 'Edit an account',
    description:
      'What is left out stays, and so does what is sent as `seen` has it: what stood on the screen before the edit.',
    body: t.Object({ ...fields, seen: t.Optional(t.Object(fields)) }),
    refusals: {
      404: 'There is no such account, or it was deleted.',
      409: 'It was changed meanwhile.',
      429: 'Too many edits within a minute.',
    },
    example: { params: { id: '2' }, body: { subscriptionType: 'premium', requestedSubscriptionType: null } },
  },
};
