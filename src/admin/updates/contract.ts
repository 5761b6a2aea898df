import type { RouteContracts } from '#texts/routeContract.ts';
import { offerAnswer, startedAnswer, updateAnswer } from './answers/update.ts';

const refusals = { 409: 'An update is under way or on trial.', 429: 'Asked too often within a minute.' };

/** Update and Restart (specification 7.7). */
export const UPDATES = {
  'GET /api/admin/server/update': {
    access: 4,
    tag: 'Hosting',
    summary: 'How the update under way stands, else the last one',
    answer: updateAnswer,
    example: {},
  },
  'POST /api/admin/server/update/check': {
    access: 4,
    tag: 'Hosting',
    summary: 'Look for what an update would bring',
    description: 'Nothing is changed.',
    answer: offerAnswer,
    refusals: {
      400: 'This installation is not updated from here, or what it would come from gave no usable answer.',
      ...refusals,
    },
    example: {},
  },
  'POST /api/admin/server/update-and-restart': {
    access: 4,
    tag: 'Hosting',
    summary: 'Update the server, and restart it',
    description:
      'Without anything new `updated` is false and nothing happens. Else the new version is made, tried on a copy of the ' +
      'database and swapped in after the answer; if it does not run well, the old one comes back with its database.',
    answer: startedAnswer,
    refusals: {
      400: 'This installation is not updated from here, or can not be now; the sentence says why.',
      ...refusals,
    },
    example: {},
  },
} as const satisfies RouteContracts;
