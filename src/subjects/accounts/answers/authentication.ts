import { readCount, readText } from '#lib/read.ts';
import { done, integer, nothing, or, readBy, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';

/** An account of which the server says no level has the lowest. */
const LOWEST_LEVEL = 1;

const accessLevel = readBy(sent(integer, { minimum: LOWEST_LEVEL, maximum: 4 }), (value) =>
  Math.max(LOWEST_LEVEL, readCount(value) ?? LOWEST_LEVEL),
);

/** `POST /api/login` and `POST /api/register` (specification 7.1). */
export const authenticatedAnswer = object({
  authenticated: or(done, false),
  /** Null or '' when the person is not signed in. */
  accessToken: text,
  accessLevel,
  /** A refusal that comes as a 409 is read too. */
  error: readBy(nothing, readText),
});
