import { boolean, count, list, or, words } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';

/** `GET /api/settings/second-factor`. */
export const secondFactorAnswer = object(
  {
    on: boolean,
    /** The server demands it of this account before it can administer. */
    demanded: or(boolean, false),
    recoveryCodesLeft: or(count, 0),
  },
  ['on'],
);

/** `POST /api/settings/second-factor/begin`: what an authenticator app is given. */
export const begunAnswer = object(
  {
    /** Base32. */
    secret: words,
    /** An `otpauth:` address with the secret in it. */
    address: words,
  },
  ['secret', 'address'],
);

/** Recovery codes, which are told this once. */
export const recoveryCodesAnswer = object({ recoveryCodes: list(words) }, ['recoveryCodes']);
