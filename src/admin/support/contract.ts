import { file } from '#lib/contract/fields.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** The archive for a bug report. */
export const SUPPORT = {
  'POST /api/admin/support': {
    access: 4,
    tag: 'Hosting',
    summary: 'Make and download the archive for a bug report',
    description:
      'A tar.gz for a bug report: version, system details, which settings are set, a health check, a sanitised log, metrics ' +
      'and statistics. It contains no secrets and no user data.',
    answer: file,
    answerType: 'application/gzip',
    refusals: {
      409: 'Another one is being made.',
      429: 'Asked too often within a minute.',
      503: 'It could not be made.',
    },
    example: {},
  },
} as const satisfies RouteContracts;
