import { file } from '#lib/contract/fields.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

export const SUPPORT = {
  'POST /api/admin/support': {
    access: 4,
    tag: 'Hosting',
    summary: 'Download the support archive',
    description:
      'A tar.gz for a bug report: version, system details, which settings are set, a health check, a sanitised log, metrics ' +
      'and statistics. It contains no secrets and no user data.',
    answer: file,
    answerType: 'application/gzip',
    refusals: {
      409: 'Another archive is being created.',
      429: 'Too many requests in one minute.',
      503: 'The archive could not be created.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
