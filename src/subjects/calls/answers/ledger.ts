import { boolean, choice, count, isoTime, list, map, orNull, text, words } from '#lib/contract/fields.ts';
import { object, whereKnown } from '#lib/contract/objects.ts';
import { COMMITMENTS } from '../rules/ledger/line.ts';

/** The last line of the ledger: its number and its hash, 64 hex characters. */
export const ledgerHead = object({ number: count, hash: words }, ['number', 'hash']);

/** What a commitment in a line was made of: SHA-256 of the salt, a line feed and the text. */
export const ledgerOpening = object({ of: choice(COMMITMENTS), salt: text, text }, ['of', 'salt', 'text']);

/** A line exactly as it was hashed, its hash, and what is still told of its commitments. */
export const ledgerRow = object(
  {
    line: text,
    hash: text,
    openings: list(ledgerOpening),
    /** Its call is in review: what its owner claims and a gain do not count. Only there if it is. */
    isInReview: whereKnown(boolean),
    /** Times of the line as the clock of the call's market had them. Only there if that clock differs from the server's. */
    marketTimes: whereKnown(map(isoTime)),
  },
  ['line', 'hash'],
);

/** `GET /api/calls/ledger`. */
export const ledgerPage = object(
  {
    /** In the order of their numbers. */
    lines: list(ledgerRow),
    head: orNull(ledgerHead),
  },
  ['lines'],
);
