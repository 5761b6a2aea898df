import { numeric, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import { paidPlan, plan } from '#subjects/accounts/answers/plans.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { userAnswer, usersAnswer } from './answers/users.ts';

const params = object({ id: numeric });
const NO_USER = 'This account does not exist, or was deleted. Reload the list.';

/** What is wrong with one is for `checkUserEdit` to say. */
const edited = {
  telegramId: optional(byRules(orNull(text))),
  discordId: optional(byRules(orNull(text))),
  subscriptionType: optional(byRules(plan)),
  requestedSubscriptionType: optional(byRules(orNull(paidPlan))),
};

/** All accounts, for administrators (specification 7.7). */
export const USERS = {
  'GET /api/admin/users': {
    access: 4,
    tag: 'Users',
    summary: 'Search the accounts',
    description:
      'By words of the username and email, newest first. `next` is the `before` of the request for the next page.',
    query: object({
      q: optional(sent(text, { maxLength: 254, error: 'The search has at most 254 characters.' })),
      before: optional(
        sent(numeric, { minimum: 1, multipleOf: 1, error: 'The user to begin after is no number.' }),
      ),
    }),
    answer: usersAnswer,
    example: { query: { q: 'caller' } },
  },
  'GET /api/admin/users/:id': {
    access: 4,
    tag: 'Users',
    summary: 'Read an account with its linked chats',
    params,
    answer: userAnswer,
    refusals: { 404: NO_USER },
    example: { params: { id: '2' } },
  },
  'PUT /api/admin/users/:id': {
    access: 4,
    tag: 'Users',
    summary: 'Edit an account',
    description:
      'What is left out stays, and so does what is sent as `seen` has it: what stood on the screen before the edit.',
    params,
    body: object({ ...edited, seen: optional(object(edited)) }),
    answer: userAnswer,
    refusals: { 404: NO_USER, 409: 'It was changed meanwhile.', 429: 'Too many edits within a minute.' },
    example: { params: { id: '2' }, body: { subscriptionType: 'premium', requestedSubscriptionType: null } },
  },
  'POST /api/admin/users/:id/clear-second-factor': {
    access: 4,
    tag: 'Users',
    summary: 'Clear the two-factor login of somebody who lost it',
    description: 'The person logs in by the password alone then, and is told in their chats.',
    params,
    answer: userAnswer,
    refusals: {
      400: 'It is your own: turn it off in Settings.',
      404: NO_USER,
      409: 'There is none.',
      429: 'Too many edits within a minute.',
    },
    example: { params: { id: '2' } },
  },
} as const satisfies RouteContracts;
