import { boolean, choice, done, or, readBy, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readText } from '#lib/read.ts';

export const testStatusAnswer = object({ test: or(boolean, false) });

/** A demo user with a session. A role that only another version knows keeps its name. */
export const seededAnswer = object({
  success: or(done, false),
  accessToken: text,
  user: always(
    object({
      role: readBy(choice(['free', 'basic', 'premium', 'admin']), (value) => readText(value) ?? ''),
      isAdmin: or(boolean, false),
    }),
  ),
});
