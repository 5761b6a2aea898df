import type { RouteContracts } from '#texts/routeContract.ts';
import { appAnswer } from './answers/app.ts';

/** Which program this is. */
export const APP_INFO = {
  'GET /api/app': {
    access: 'anyone',
    tag: 'Server',
    summary: 'What every page needs to know of this server',
    answer: appAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
