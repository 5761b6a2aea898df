import { file } from '#lib/contract/fields.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** What a collector such as Prometheus asks. */
export const METRICS = {
  'GET /metrics': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Figures of the running server for Prometheus',
    description:
      'Prometheus text 0.0.4, with the key as bearer token. Without a key in the settings there is no such address.',
    key: 'metricsKey',
    answer: file,
    answerType: 'text/plain',
    refusals: { 401: 'The key is missing or wrong.', 404: 'The server has no key for this.' },
    example: {},
  },
} as const satisfies RouteContracts;
