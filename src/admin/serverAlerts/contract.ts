import { boolean } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { serverAlertsAnswer, wantedAnswer } from './answers/serverAlerts.ts';

/** Server alerts, and whether an administrator gets them as messages. */
export const SERVER_ALERTS = {
  'GET /api/admin/notices': {
    access: 4,
    tag: 'Hosting',
    summary: 'List server alerts',
    description:
      '`checks` lists every check with its result, and `isWanted` says whether you get these alerts as messages. `waiting` counts the upgrade requests and calls that wait for a decision.',
    answer: serverAlertsAnswer,
    example: {},
  },
  'PUT /api/admin/notices/wanted': {
    access: 4,
    tag: 'Hosting',
    summary: 'Turn messages about server alerts on or off',
    description: 'Applies only to your account. Messages are on by default.',
    body: object({ isWanted: sent(boolean, { error: '`isWanted` must be true or false.' }) }),
    answer: wantedAnswer,
    refusals: { 429: 'Too many changes in one minute.' },
    example: { body: { isWanted: false } },
  },
} as const satisfies RouteContracts;
