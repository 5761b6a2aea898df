import type { MarkValue } from '../types.ts';

/** What happened: a line is of one of these. docs/ledger.md tells the members of each. */
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

/** What a line says besides its place in the chain; its members stand in the line in the order in which they were made. */
export type Deed = {
  kind: LedgerKind;
  /** The public id of the call; absent where it is of none, or of many. */
  call?: string;
} & Readonly<Record<string, MarkValue | string | undefined>>;

/** What stands in the first line in the place of the hash before it. */
export const NO_HASH = '0'.repeat(64);

/** Lines of a page at most. */
export const MAX_PAGE = 1000;

/** The last line of a ledger, by which all before it are known. */
export type Head = { number: number; hash: string };

/** A head as it is copied, posted and noted: its number and its whole hash. */
export const headText = ({ number, hash }: Head): string => `${number} ${hash}`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON without blanks, of plain ASCII alone: so its characters are its bytes, whatever reads them. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped);

/**
 * The text of a line, as it is hashed.
 *
 * @param time epoch ms of the wall clock
 * @param previous the hash of the line before
 */
export const lineText = (
  number: number,
  time: number,
  { kind, call, ...said }: Deed,
  previous: string,
): string =>
  asciiJson({
    number,
    time: new Date(time).toISOString(),
    kind,
    ...(call === undefined ? {} : { call }),
    ...said,
    previous,
  });

/**
 * What is hashed for a text that may have to go: without the salt, which is kept outside the ledger, nobody can find the
 * text by trying.
 */
export const committedText = (salt: string, text: string): string => `${salt}\n${text}`;

/** The members of a line that are commitments. */
export const COMMITMENTS = ['name', 'rationale', 'reason'] as const;
export type Committed = (typeof COMMITMENTS)[number];

/** What a commitment was made of, as far as that is still told. */
export type Opening = { of: Committed; salt: string; text: string };

/** Facts about a line's call that are not in the line. */
export type LineNotes = {
  /** What its owner claims and a gain do not count. */
  isInReview?: boolean;
  /** Times of the line, ISO 8601, as the clock of the call's market had them. */
  marketTimes?: Readonly<Record<string, string>>;
};

/** A line with its hash, and what is still told of its commitments; `bytes` of the line where they are known. */
export type LedgerRow = LineNotes & {
  line: string;
  hash: string;
  openings: readonly Opening[];
  bytes?: Uint8Array;
};

/** 'line 1,234'. */
export const lineNo = (number: number): string => `line ${number.toLocaleString('en-AU')}`;
