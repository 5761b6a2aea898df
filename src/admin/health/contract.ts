import type { RouteContracts } from '#texts/routeContract.ts';
import { healthAnswer } from './answers/health.ts';

/** What a supervisor asks. */
export const HEALTH = {
  'GET /healthz': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Whether the process answers, and which program it is',
    answer: healthAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
