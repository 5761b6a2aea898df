import { choice, count, list, orNull, text, words } from '../../../lib/contract/fields.ts';
import { object } from '../../../lib/contract/objects.ts';
import { COMMITMENTS } from '../rules/ledger/line.ts';

/** The last line of the ledger: its number and its hash, 64 hex characters. */
export const ledgerHead = object({ number: count, hash: words }, ['number', 'hash']);

/** What a commitment in a line was made of: SHA-256 of the salt, a line feed and the text. */
export const ledgerOpening = object({ of: choice(COMMITMENTS), salt: text, text }, ['of', 'salt', 'text']);

/** A line exactly as it was hashed, its hash, and what is still told of its commitments. */
export const ledgerRow = object({ line: text, hash: text, openings: list(ledgerOpening) }, ['line', 'hash']);

/** `GET /api/calls/ledger`. */
export const ledgerPage = object(
  {
    /** In the order of their numbers. */
    lines: list(ledgerRow),
    head: orNull(ledgerHead),
  },
  ['lines'],
);
