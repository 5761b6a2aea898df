import { list, orNull, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

/** A user's choices about followed submitters. */
export const followsAnswer = object({
  following: list(words),
  /** Stocks whose followed calls send no messages. */
  muted: list(words),
  /** Why no message can arrive, a sentence; null if there is a chat or device. */
  note: orNull(words),
});
