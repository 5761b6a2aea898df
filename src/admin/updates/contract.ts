import type { RouteContracts } from '#texts/routeContract.ts';
import { offerAnswer, startedAnswer, updateAnswer } from './answers/update.ts';

const refusals = { 409: 'An update is running or on trial.', 429: 'Too many requests in one minute.' };

/** Update and Restart (specification 7.7). */
export const UPDATES = {
  'GET /api/admin/server/update': {
    access: 4,
    tag: 'Hosting',
    summary: 'Read the status of the current or last update',
    answer: updateAnswer,
    example: {},
  },
  'POST /api/admin/server/update/check': {
    access: 4,
    tag: 'Hosting',
    summary: 'Check for an update',
    description: 'Changes nothing.',
    answer: offerAnswer,
    refusals: {
      400: 'This installation cannot update itself, or the update source did not answer.',
      ...refusals,
    },
    example: {},
  },
  'POST /api/admin/server/update-and-restart': {
    access: 4,
    tag: 'Hosting',
    summary: 'Install the update and restart',
    description:
      'Without an update, `updated` is false and nothing changes. The new version runs on trial, and the old version and database return if it fails.',
    answer: startedAnswer,
    refusals: {
      400: 'This installation cannot update itself now; `error` gives the reason.',
      ...refusals,
    },
    example: {},
  },
} as const satisfies RouteContracts;
