import { text } from '#lib/contract/fields.ts';
import { notChanged, sent } from '#lib/contract/requests.ts';
import { object } from '#lib/contract/objects.ts';
import { MAX_EMAIL_LENGTH } from '#subjects/accounts/rules/accountRules.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { seededAnswer, testStatusAnswer } from './answers/testMode.ts';

/** Demo data for a server in test mode. */
export const TEST_MODE = {
  'GET /api/test/status': {
    access: 'anyone',
    tag: 'Test mode',
    summary: 'Check whether this server is in test mode',
    answer: testStatusAnswer,
    example: {},
  },
  'POST /api/test/seed': {
    access: 'anyone',
    tag: 'Test mode',
    summary: 'Create a demo user and log in',
    description: 'Only in test mode.',
    body: object({ username: sent(text, { default: '', maxLength: MAX_EMAIL_LENGTH }) }),
    answer: seededAnswer,
    refusals: {
      404: 'The server is not in test mode.',
      409: 'The name belongs to a registered user.',
      429: 'Too many new demo users from one address in one day. Wait for the seconds in `Retry-After`.',
    },
    refusalForms: { 400: notChanged, 409: notChanged, 429: notChanged },
    example: { body: { username: 'demo' } },
  },
} as const satisfies RouteContracts;
