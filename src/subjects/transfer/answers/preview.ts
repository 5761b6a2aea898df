import { boolean, choice, count, list, or, orNull, text, words } from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { TRANSFER_KINDS } from '../rules/kind.ts';

/** A sentence with how many things it is said of, and the names of the first. */
const told = object({ text: words, count: or(count, 0), names: list(text) }, ['text']);

/** What becomes of one kind of things. */
const kindOutcome = object(
  {
    kind: choice(TRANSFER_KINDS),
    /** How many are in the file. */
    found: or(count, 0),
    /** Whether it is to be taken; the counts are 0 otherwise. */
    isChosen: or(boolean, false),
    added: or(count, 0),
    changed: or(count, 0),
    /** They are here already. */
    same: or(count, 0),
    leftOut: list(told),
    /** Taken, but not as they were. */
    notes: list(told),
  },
  ['kind'],
);

/** What a file brings, or brought, of each kind that it has. */
export const previewAnswer = object(
  {
    kinds: list(kindOutcome),
    /** Calls in the file, which are never taken. */
    calls: or(count, 0),
    /** Names this preview: what is taken is what it says. */
    seen: words,
    /** Whether it was taken. */
    isDone: or(boolean, false),
    /** Why it was not, where it was to be. */
    error: optional(orNull(words)),
  },
  ['seen'],
);
