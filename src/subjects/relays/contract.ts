import { boolean, epochMs, integer, list, orNull, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** Limit of a token's length, longer than any token of this server. */
export const MAX_TOKEN_LENGTH = 2000;
export const MAX_ID_LENGTH = 100;
/** Limit of tokens of one user, who has at most 50 streams on a relay. */
export const MAX_TOKENS = 200;

const token = sent(text, { maxLength: MAX_TOKEN_LENGTH, error: '`token` must be the token of the stream.' });

/** The first events of an alert stream that a relay serves. */
export const alertOpening = object(
  {
    userId: integer,
    sessionId: text,
    /** The audience whose events the stream gets. */
    audience: text,
    /** End of the login session, epoch ms. */
    expiresAt: epochMs,
    /** Events as text, in the order in which to send them. */
    messages: list(text),
  },
  ['userId', 'audience', 'expiresAt'],
);

/** Whether each token's login session is active, in the order of the tokens. */
export const sessionsAnswer = object({ good: list(boolean) });

const NO_RELAY = 'The caller is not a relay of this server.';

/** Requests of relays to the primary. */
export const RELAY_ROUTES = {
  'POST /api/relays/alert-opening': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Open an alert stream for a relay',
    description:
      'Checks the token and returns the first events of the stream. `lastEventId` is the last event the client received, or null.',
    key: 'relayToken',
    body: object({ token, lastEventId: orNull(sent(text, { maxLength: MAX_ID_LENGTH })) }),
    answer: alertOpening,
    refusals: {
      401: 'The login session of the token has ended.',
      404: NO_RELAY,
      429: 'Too many streams opened by one account in one minute.',
    },
    example: { body: { token: 'eyJhbGciOi…', lastEventId: null } },
  },
  'POST /api/relays/sessions': {
    access: 'anyone',
    tag: 'Server',
    summary: 'Check login sessions for a relay',
    description: 'Results are in the order of the tokens.',
    key: 'relayToken',
    body: object({
      tokens: sent(list(sent(text, { maxLength: MAX_TOKEN_LENGTH })), {
        maxItems: MAX_TOKENS,
        error: `Send at most ${MAX_TOKENS} tokens.`,
      }),
    }),
    answer: sessionsAnswer,
    refusals: { 404: NO_RELAY },
    example: { body: { tokens: ['eyJhbGciOi…'] } },
  },
} as const satisfies RouteContracts;
