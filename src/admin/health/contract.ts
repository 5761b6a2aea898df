import type { RouteContracts } from '#texts/routeContract.ts';
import { healthAnswer } from './answers/health.ts';

export const HEALTH = {
  'GET /healthz': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Check that the process answers',
    answer: healthAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
