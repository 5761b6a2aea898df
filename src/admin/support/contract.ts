import { file } from '#lib/contract/fields.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** The archive for a bug report. */
export const SUPPORT = {
  'POST /api/admin/support': {
    access: 4,
    tag: 'Hosting',
    summary: 'Make and download the archive for a bug report',
    description:
      'A tar.gz of what is known to be harmless: version and system, which settings are set, a check of this machine, the log ' +
      'without what may be somebody’s, counts of rows, sizes and metrics. No secrets, no people, nothing that they wrote.',
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
