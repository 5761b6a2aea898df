import { boolean, or, orNull, text } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';

/** What every page needs to know of this server. */
export const appAnswer = object({
  test: or(boolean, false),
  donateUrl: orNull(text),
  /** Whether there is a model, by which summaries and answers to questions can be had. */
  hasModel: ours(or(boolean, false)),
  version: or(text, ''),
  commit: or(text, ''),
});
