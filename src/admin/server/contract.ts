import type { RouteContracts } from '#texts/routeContract.ts';
import { infoAnswer, restartAnswer } from './answers/server.ts';

/** Server Controls (specification 7.7). */
export const SERVER_CONTROLS = {
  'GET /api/admin/server/info': {
    access: 4,
    tag: 'Hosting',
    summary: 'Read version and system information',
    answer: infoAnswer,
    example: {},
  },
  'POST /api/admin/server/restart': {
    access: 4,
    tag: 'Hosting',
    summary: 'Restart the server',
    description: 'Running requests finish first. `GET /healthz` returns a new `pid` after the restart.',
    answer: restartAnswer,
    refusals: {
      400: 'No supervisor would restart the server.',
      409: 'An update is running or on trial.',
      429: 'Too many requests in one minute.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
