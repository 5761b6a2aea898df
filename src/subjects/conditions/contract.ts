import { ASK_LEVEL } from '#platform/http/rules/accessLevel.ts';
import { choice, list, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { inWords, sent, unchecked } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';
import { phraseAnswer } from './answers/logic.ts';
import { MAX_PHRASE } from './rules/phrases/tokens.ts';

const MAX_PIECES = 20;

const body = object({
  text: sent(text, { minLength: 1, maxLength: MAX_PHRASE }),
  pieces: sent(list(sent(text, { minLength: 1, maxLength: MAX_PHRASE })), {
    minItems: 1,
    maxItems: MAX_PIECES,
  }),
  kind: choice(['scan', 'alert']),
});

export const CONDITIONS = {
  'POST /api/conditions/read': {
    access: ASK_LEVEL,
    tag: 'Indicators',
    summary: 'Convert a phrase to conditions with the model',
    description:
      'Counts as one of your daily questions. Nothing is saved, and each proposed condition names the words it came from.',
    body: inWords(body, {
      text: 'The whole phrase.',
      pieces: 'The parts to convert.',
      kind: 'What the conditions are for. Alerts cannot compare sectors.',
    }),
    answer: unchecked(phraseAnswer),
    refusals: {
      429: 'You have no questions left today, or the model is busy.',
      502: 'The model failed.',
      503: 'The server is stopping.',
      504: 'The model took too long.',
    },
    example: {
      body: { text: 'buyers are piling in', pieces: ['buyers are piling in'], kind: 'scan' },
    },
  },
} as const satisfies RouteContracts;
