import { file } from '#lib/contract/fields.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

export const METRICS = {
  'GET /metrics': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Read metrics for Prometheus',
    description: 'Prometheus text format 0.0.4. Returns 404 if `BELLBIRD_METRICS_KEY` is not set.',
    key: 'metricsKey',
    answer: file,
    answerType: 'text/plain',
    refusals: { 401: 'The key is missing or wrong.', 404: 'The server has no key for this route.' },
    example: {},
  },
} as const satisfies RouteContracts;
