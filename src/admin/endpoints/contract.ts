import { text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { metricsAnswer } from './answers/calls.ts';

/** External Endpoint Activity (specification 7.7). */
export const ENDPOINT_CALLS = {
  'GET /api/admin/external-metrics': {
    access: 4,
    tag: 'Administration',
    summary: 'List requests to other servers by endpoint',
    description:
      'For one Sydney day, today by default; 30 days are kept. Codes and tokens are replaced by placeholders.',
    query: object({
      // The route checks whether the date exists.
      date: optional(sent(text, { pattern: '^\\d{4}-\\d{2}-\\d{2}$', error: 'Write `date` as YYYY-MM-DD.' })),
    }),
    answer: metricsAnswer,
    example: { query: { date: '2026-11-18' } },
  },
} as const satisfies RouteContracts;
