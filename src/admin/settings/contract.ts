import type { RouteContracts } from '#texts/routeContract.ts';
import { settingsAnswer } from './answers/settings.ts';

/** What the server was set up with. */
export const SERVER_SETTINGS = {
  'GET /api/admin/settings': {
    access: 4,
    tag: 'Hosting',
    summary: 'List the settings of this server, where each comes from, and its default',
    description:
      'Secrets are told as set or not set. Addresses are told without who logs in there and what is asked. Settings are changed ' +
      'where the server is started, and count from the next start.',
    answer: settingsAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
