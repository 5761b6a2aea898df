import { numeric, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { auditAnswer } from './answers/audit.ts';

/** The record of what administrators did: reading is all there is. */
export const AUDIT = {
  'GET /api/admin/audit': {
    access: 4,
    tag: 'Users',
    summary: 'Read what administrators did',
    description:
      'Newest first; `next` is the `before` of the request for the next page. Nothing of it can be changed or deleted. ' +
      '`by=0` gives what the server did by itself.',
    query: object({
      before: optional(
        sent(numeric, { minimum: 1, multipleOf: 1, error: 'The entry to begin after is not a number.' }),
      ),
      action: optional(sent(text, { maxLength: 60 })),
      /** An administrator's id; 0 for what the server did by itself. */
      by: optional(sent(numeric, { minimum: 0, multipleOf: 1, error: 'The administrator is not a number.' })),
    }),
    answer: auditAnswer,
    example: { query: { action: 'edit user' } },
  },
} as const satisfies RouteContracts;
