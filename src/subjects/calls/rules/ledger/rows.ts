import { readChoice, readRecord, readText } from '#lib/read.ts';
import { asciiJson, type LatestEntry, type LedgerRow, NO_HASH, type RevealedText } from './entry.ts';
import { SALTED_HASHES } from '#subjects/calls/answers/board.ts';

export const MAX_ROWS = 2000;

const NEXT_ROW = '\n';
const BEFORE_LINE = ' ';
const BEFORE_OPENINGS = '\t';

/** Separators of a page. The server never writes them in an entry or hash, but a forged ledger may. */
const PARTING = /[\t\n]/;

/**
 * The first row of a page as text, which is much cheaper than JSON: number and hash of the latest entry, or 0 and zeros
 * if there is none. One `lineRow` per entry follows.
 */
export const latestRow = (head: LatestEntry | null): string =>
  `${head?.number ?? 0}${BEFORE_LINE}${head?.hash ?? NO_HASH}${NEXT_ROW}`;

/**
 * Hash, blank, entry, and after a tab the revealed texts as ASCII JSON. An entry or hash with a separator gives an
 * empty row, which makes the page unreadable.
 */
export function entryRow({ line, hash, openings }: LedgerRow): string {
  if (PARTING.test(line) || PARTING.test(hash) || hash.includes(BEFORE_LINE)) return NEXT_ROW;
  const openingsText = openings.length === 0 ? '' : BEFORE_OPENINGS + asciiJson(openings);
  return `${hash}${BEFORE_LINE}${line}${openingsText}${NEXT_ROW}`;
}

const HEAD = /^(\d{1,15}) ([\x21-\x7e]{1,200})$/;
const MAX_HEAD = 220;

const decoder = new TextDecoder();

/** Reads the latest entry from a page as text. @returns undefined if it is not such a page */
export function latestOfRows(bytes: Uint8Array): LatestEntry | null | undefined {
  const text = decoder.decode(bytes.subarray(0, MAX_HEAD));
  const [, number, hash] = HEAD.exec(text.slice(0, Math.max(0, text.indexOf(NEXT_ROW)))) ?? [];
  if (number === undefined || hash === undefined) return undefined;
  return number === '0' ? null : { number: Number(number), hash };
}

const readOf = readChoice(SALTED_HASHES);

function readOpenings(json: string): RevealedText[] | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  return value.flatMap((one: unknown) => {
    const { of, salt, text } = readRecord(one);
    const [member, salted, opened] = [readOf(of), readText(salt), readText(text)];
    return member === null || salted === null || opened === null
      ? []
      : [{ of: member, salt: salted, text: opened }];
  });
}

const NO_OPENINGS: readonly RevealedText[] = [];

/** @returns null if the page cannot be parsed with certainty */
export function readRows(bytes: Uint8Array): LedgerRow[] | null {
  const text = decoder.decode(bytes);
  // In ASCII, each character is one byte at the same offset.
  const isAscii = text.length === bytes.length;
  const rows: LedgerRow[] = [];
  for (let start = text.indexOf(NEXT_ROW) + 1; start < text.length; ) {
    const end = text.indexOf(NEXT_ROW, start);
    const blank = text.indexOf(BEFORE_LINE, start);
    if (end === -1 || blank === -1 || blank > end || rows.length === MAX_ROWS) return null;
    const tab = text.slice(blank + 1, end).indexOf(BEFORE_OPENINGS);
    const entryEnd = tab === -1 ? end : blank + 1 + tab;
    const openings = tab === -1 ? NO_OPENINGS : readOpenings(text.slice(entryEnd + 1, end));
    if (openings === null) return null;
    const row = { hash: text.slice(start, blank), line: text.slice(blank + 1, entryEnd), openings };
    rows.push(isAscii ? { ...row, bytes: bytes.subarray(blank + 1, entryEnd) } : row);
    start = end + 1;
  }
  return rows;
}
