import type { RouteContracts } from '#texts/routeContract.ts';
import { relaysAnswer } from './answers/relays.ts';

export const RELAYS = {
  'GET /api/admin/relays': {
    access: 4,
    tag: 'Hosting',
    summary: 'Read the status of Redis and the relays',
    description:
      'Relays report every two seconds; `lagFrames` and `lagMs` are how far a relay is behind. `isSet` is false if Redis is not configured.',
    answer: relaysAnswer,
    example: {},
  },
} as const satisfies RouteContracts;
