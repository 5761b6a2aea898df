import { choice, list, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { inWords, sent, unchecked } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { phraseAnswer } from './answers/logic.ts';
import { MAX_PHRASE } from './rules/phrases/tokens.ts';

/** More pieces have no room in a phrase that makes sense. */
const MAX_PIECES = 20;

const body = object({
  text: sent(text, { minLength: 1, maxLength: MAX_PHRASE }),
  pieces: sent(list(sent(text, { minLength: 1, maxLength: MAX_PHRASE })), {
    minItems: 1,
    maxItems: MAX_PIECES,
  }),
  kind: choice(['scan', 'alert']),
});

/** Conditions that are said in words, where the grammar of the pages does not understand all of them. */
export const CONDITIONS = {
  'POST /api/conditions/read': {
    access: 3,
    tag: 'Indicators',
    summary: 'Have a model read what the grammar did not understand',
    description:
      'Counts as a question of the day. Nothing is saved: the conditions are proposals, each with the words that it is of. ' +
      'Nothing is sent until the model has answered.',
    body: inWords(body, {
      text: 'The whole phrase.',
      pieces: 'What of it is to be read.',
      kind: 'What the conditions are for: an alert is of one stock, and compares no sectors.',
    }),
    answer: unchecked(phraseAnswer),
    refusals: {
      429: 'The questions of the day are used up, or the model is busy.',
      502: 'The model failed.',
      503: 'The server stops.',
      504: 'The model took too long.',
    },
    example: {
      body: { text: 'buyers are piling in', pieces: ['buyers are piling in'], kind: 'scan' },
    },
  },
} as const satisfies RouteContracts;
