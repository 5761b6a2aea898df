import { numeric, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { paidPlan, plan } from '#subjects/accounts/answers/plans.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { userAnswer, usersAnswer } from './answers/users.ts';

const params = object({ id: numeric });
const NO_USER = 'The user does not exist or was deleted.';

/** `checkUserEdit` checks the values. */
const edited = {
  telegramId: optional(byRules(orNull(text))),
  discordId: optional(byRules(orNull(text))),
  subscriptionType: optional(byRules(plan)),
  requestedSubscriptionType: optional(byRules(orNull(paidPlan))),
};

/** Users (specification 7.7). */
export const USERS = {
  'GET /api/admin/users': {
    access: 4,
    tag: 'Users',
    summary: 'Search users',
    description:
      'Matches words of the username and email, newest first. Pass `next` as `before` to get the next page.',
    query: object({
      q: optional(sent(text, { maxLength: 254, error: 'The search can have at most 254 characters.' })),
      before: optional(
        sent(numeric, { minimum: 1, multipleOf: 1, error: '`before` must be the number of a user.' }),
      ),
    }),
    answer: usersAnswer,
    example: { query: { q: 'caller' } },
  },
  'GET /api/admin/users/:id': {
    access: 4,
    tag: 'Users',
    summary: 'Read a user with linked chats',
    params,
    answer: userAnswer,
    refusals: { 404: NO_USER },
    example: { params: { id: '2' } },
  },
  'PUT /api/admin/users/:id': {
    access: 4,
    tag: 'Users',
    summary: 'Edit a user',
    description:
      'Omitted members do not change. Send the values you saw as `seen`, so that unedited values are not overwritten.',
    params,
    body: object({ ...edited, seen: optional(object(edited)) }),
    answer: userAnswer,
    refusals: {
      404: NO_USER,
      409: 'The user was changed in the meantime.',
      429: 'Too many edits in one minute.',
    },
    example: { params: { id: '2' }, body: { subscriptionType: 'premium', requestedSubscriptionType: null } },
  },
  'POST /api/admin/users/:id/clear-second-factor': {
    access: 4,
    tag: 'Users',
    summary: 'Remove a user’s two-factor login',
    description: 'The user then logs in with only the password and is notified in chats.',
    params,
    answer: userAnswer,
    refusals: {
      400: 'This is your own account. Turn it off in Settings.',
      404: NO_USER,
      409: 'The user has no two-factor login.',
      429: 'Too many edits in one minute.',
    },
    example: { params: { id: '2' } },
  },
} as const satisfies RouteContracts;
