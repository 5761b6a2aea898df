import { integer, orNull, text } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { byRules, sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { askAnswer } from './answers/answer.ts';

export const QUESTIONS = {
  'POST /api/admin/askai': {
    access: 4,
    tag: 'Administration',
    summary: 'Ask the model a question',
    description: 'Responds after the model has answered.',
    // May have any form or be missing: `checkQuestion` reports what is missing, in the specification's order.
    body: optional(
      object({
        question: byRules(text),
        forceAccessLevel: byRules(optional(orNull(sent(integer, { minimum: 0, maximum: 4 })))),
      }),
    ),
    answer: askAnswer,
    refusals: { 502: 'The model failed.', 503: 'The model is busy.', 504: 'The model took too long.' },
    example: { body: { question: 'Which stocks gapped up today?' } },
  },
} as const satisfies RouteContracts;
