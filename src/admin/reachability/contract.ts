import { text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { connectionsAnswer, connectionTestAnswer } from './answers/reachability.ts';

/** External services and their tests. */
export const REACHABILITY = {
  'GET /api/admin/connections': {
    access: 4,
    tag: 'Hosting',
    summary: 'List configured external services',
    description:
      'Built-in sources, such as the simulated market, are not listed. `costs` is true if a test costs money.',
    answer: connectionsAnswer,
    example: {},
  },
  'POST /api/admin/connections/:key/test': {
    access: 4,
    tag: 'Hosting',
    summary: 'Test an external service',
    description:
      'Sends one request, and no messages to users. A failed test returns 200 with `remedy`, the suggested fix.',
    params: object({ key: sent(text, { maxLength: 40 }) }),
    answer: connectionTestAnswer,
    refusals: {
      404: 'This service is not configured.',
      409: 'Another test is running.',
      429: 'Too many tests in one minute.',
    },
    example: { params: { key: 'model' } },
  },
} as const satisfies RouteContracts;
