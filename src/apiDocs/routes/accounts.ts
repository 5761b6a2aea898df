import type { RouteDescriptions } from '../description.ts';

const FORM = 'What it is refused with has `authenticated: false` beside the sentence.';
const BUSY = 'The server is busy with other passwords; `Retry-After` says when to come back.';
const NOT_HERE = 'Not given by this route.';

/** Logging in and out, and new accounts. */
export const ACCOUNTS: RouteDescriptions = {
  'POST /api/login': {
    tag: 'Accounts',
    summary: 'Log in by username or email',
    description: `${FORM} The token goes into the \`Authorization\` header of what follows.`,
    refusals: {
      401: 'Username or password is wrong.',
      403: NOT_HERE,
      409: NOT_HERE,
      429: 'Too many wrong passwords; `Retry-After` says when.',
      503: BUSY,
    },
    example: { body: { identifier: 'free', password: 'a good password' } },
  },
  'POST /api/register': {
    tag: 'Accounts',
    summary: 'Open an account',
    description: `${FORM} With the token of the set-up link, and while there is no administrator, the account becomes one.`,
    refusals: {
      401: NOT_HERE,
      403: 'The set-up link was used already, or is not of this server.',
      409: 'Username or email belongs to somebody else.',
      429: 'Too many new accounts from one address within a quarter of an hour or a day; `Retry-After` says when.',
      503: BUSY,
    },
    example: { body: { username: 'newcomer', password: 'a good password', email: null } },
  },
  'POST /api/logout': {
    tag: 'Accounts',
    summary: 'End the session of this token',
    example: {},
  },
};
