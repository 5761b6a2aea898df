import type { RouteContracts } from '#texts/routeContract.ts';
import { infoAnswer, restartAnswer } from './answers/server.ts';

/** Server Controls (specification 7.7). */
export const SERVER_CONTROLS = {
  'GET /api/admin/server/info': {
    access: 4,
    tag: 'Hosting',
    summary: 'Which program runs, on what, and since when',
    answer: infoAnswer,
    example: {},
  },
  'POST /api/admin/server/restart': {
    access: 4,
    tag: 'Hosting',
    summary: 'Restart the server',
    description:
      'What is under way is finished first. `GET /healthz` answers with another `pid` once it is back.',
    answer: restartAnswer,
    refusals: {
      400: 'Nobody would start it again.',
      409: 'An update is under way or on trial.',
      429: 'Asked too often within a minute.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
