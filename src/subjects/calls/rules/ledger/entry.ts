import type { SALTED_HASHES } from '../../answers/board.ts';
import type { MarkValue } from '../types.ts';

export const LEDGER_KINDS = [
  'imported',
  'posted',
  'entered',
  'filled',
  'target',
  'stop',
  'closed',
  'cancelled',
  'settled',
  'paused',
  'moderated',
  'corrected',
  'renamed',
  'deleted',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** The content of an entry. The order of its members is part of the hash. */
export type LedgerEvent = {
  kind: LedgerKind;
  /** The public id of the call; omitted if the entry concerns no call or several. */
  call?: string;
} & Readonly<Record<string, MarkValue | string | undefined>>;

/** The first entry has this in place of the previous hash. */
export const NO_HASH = '0'.repeat(64);

export const MAX_PAGE = 1000;

/** The latest entry. Its hash identifies all entries before it. */
export type LatestEntry = { number: number; hash: string };

/** The latest entry as text for users to save: its number and its whole hash. */
export const latestText = ({ number, hash }: LatestEntry): string => `${number} ${hash}`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Encodes as ASCII JSON without blanks, so that characters equal bytes everywhere. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);

/**
 * The hashed text of an entry.
 * @param time epoch ms by the wall clock
 * @param previous the hash of the previous entry
 */
export const entryText = (
  number: number,
  time: number,
  { kind, call, ...members }: LedgerEvent,
  previous: string,
): string =>
  asciiJson({
    number,
    time: new Date(time).toISOString(),
    kind,
    ...(call === undefined ? {} : { call }),
    ...members,
    previous,
  });

/**
 * The text that is hashed in place of a name or reason that may have to be deleted. The salt is stored outside the
 * ledger; without it the text cannot be guessed.
 */
export const committedText = (salt: string, text: string): string => `${salt}\n${text}`;

export type Committed = (typeof SALTED_HASHES)[number];

export type RevealedText = { of: Committed; salt: string; text: string };

/** Facts about an entry's call that are not in the entry. */
export type EntryNotes = {
  /** True if the call is in review: the owner's claim and a gain do not count. */
  isInReview?: boolean;
  /** Times of the entry, ISO 8601, by the clock of the call's market. */
  marketTimes?: Readonly<Record<string, string>>;
};

/** An entry with its hash and revealed texts. */
export type LedgerRow = EntryNotes & {
  line: string;
  hash: string;
  openings: readonly RevealedText[];
  bytes?: Uint8Array;
};

export const entryName = (number: number): string => `entry ${number.toLocaleString('en-AU')}`;
