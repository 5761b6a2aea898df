import { numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { auditAnswer } from './answers/audit.ts';

/** The audit log, which is read-only. */
export const AUDIT = {
  'GET /api/admin/audit': {
    access: 4,
    tag: 'Users',
    summary: 'Read the administrators’ actions',
    description:
      'Newest first; pass `next` as `before` to get the next page. `by=0` returns what the server did.',
    query: object({
      before: optional(
        sent(numeric, { minimum: 1, multipleOf: 1, error: '`before` must be the number of an entry.' }),
      ),
      action: optional(sent(text, { maxLength: 60 })),
      /** An administrator's id; 0 for the server’s own actions. */
      by: optional(sent(numeric, { minimum: 0, multipleOf: 1, error: '`by` must be the number of a user.' })),
    }),
    answer: auditAnswer,
    example: { query: { action: 'edit user' } },
  },
} as const satisfies RouteContracts;
