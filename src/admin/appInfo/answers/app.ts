import { boolean, or, orNull, text } from '#lib/contract/fields.ts';
import { object, extension } from '#lib/contract/objects.ts';

export const appAnswer = object({
  test: or(boolean, false),
  donateUrl: orNull(text),
  /** True if visitors see the strongest stocks. */
  visitorScanner: extension(or(boolean, false)),
  /** True if calls may be short. */
  shortCalls: extension(or(boolean, false)),
  /** False if there is no model: no summaries and no answers to questions. */
  hasModel: extension(or(boolean, false)),
  version: or(text, ''),
  commit: or(text, ''),
});
