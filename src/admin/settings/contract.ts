import type { RouteContracts } from '#texts/routeContract.ts';
import { settingsAnswer } from './answers/settings.ts';

export const SERVER_SETTINGS = {
  'GET /api/admin/settings': {
    access: 4,
    tag: 'Hosting',
    summary: 'List settings with their origin and default',
    description: 'Secrets are shown only as set or not set. Changes take effect at the next start.',
    answer: settingsAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
