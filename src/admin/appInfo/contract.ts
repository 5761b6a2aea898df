import type { RouteContracts } from '#texts/routeContract.ts';
import { appAnswer } from './answers/app.ts';

export const APP_INFO = {
  'GET /api/app': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Read what every page needs to know about this server',
    answer: appAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
