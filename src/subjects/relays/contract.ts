import { boolean, epochMs, integer, list, orNull, text } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { sent } from '#lib/contract/requests.ts';
import type { RouteContracts } from '#texts/routeContract.ts';

/** Longer than any token of this server. */
export const MAX_TOKEN_LENGTH = 2000;
export const MAX_ID_LENGTH = 100;
/** Tokens of one user, who has at most 50 streams on a relay. */
export const MAX_TOKENS = 200;

const token = sent(text, { maxLength: MAX_TOKEN_LENGTH, error: 'Send the token of the stream.' });

/** What a relay is told of a stream of alerts that it opens. */
export const alertOpening = object(
  {
    userId: integer,
    sessionId: text,
    /** Whose events are for this stream. */
    audience: text,
    /** Epoch ms: the login session is over then. */
    expiresAt: epochMs,
    /** Events as text, to be given in this order. */
    messages: list(text),
  },
  ['userId', 'audience', 'expiresAt'],
);

/** Of each token that was asked about, in their order, whether its login session is good. */
export const sessionsAnswer = object({ good: list(boolean) });

const NO_RELAY = 'The caller is no relay of this server, or the server has none.';

/** What relays ask the primary. */
export const RELAY_ROUTES = {
  'POST /api/relays/alert-opening': {
    access: 'anyone',
    tag: 'Server',
    summary: 'For relays: open a stream of alerts',
    description:
      'Checks the token of a stream, and tells what the stream begins with. `lastEventId` is the id of the event that ' +
      'the client got last, null for a new one.',
    key: 'relayToken',
    body: object({ token, lastEventId: orNull(sent(text, { maxLength: MAX_ID_LENGTH })) }),
    answer: alertOpening,
    refusals: {
      401: 'The login session of the token has ended.',
      404: NO_RELAY,
      429: 'Too many streams of one account were opened within a minute.',
    },
    example: { body: { token: 'eyJhbGciOi…', lastEventId: null } },
  },
  'POST /api/relays/sessions': {
    access: 'anyone',
    tag: 'Server',
    summary: 'For relays: which login sessions are still good',
    description: 'The answers stand in the order of the tokens.',
    key: 'relayToken',
    body: object({
      tokens: sent(list(sent(text, { maxLength: MAX_TOKEN_LENGTH })), {
        maxItems: MAX_TOKENS,
        error: `Send up to ${MAX_TOKENS} tokens.`,
      }),
    }),
    answer: sessionsAnswer,
    refusals: { 404: NO_RELAY },
    example: { body: { tokens: ['eyJhbGciOi…'] } },
  },
} as const satisfies RouteContracts;
