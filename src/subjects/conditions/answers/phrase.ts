import { list, text, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { logic } from './logic.ts';

/** What a model made of the pieces of a phrase: conditions to be confirmed, and what it could not say. */
export const phraseAnswer = object(
  {
    proposals: list(object({ logic, said: words }, ['logic', 'said'])),
    missed: list(object({ said: text, why: words }, ['said', 'why'])),
  },
  ['proposals', 'missed'],
);
