import { readChoice, readRecord, readText } from '#lib/read.ts';
import { asciiJson, COMMITMENTS, type Head, type LedgerRow, NO_HASH, type Opening } from './line.ts';

/** Lines of a page as text at most. */
export const MAX_ROWS = 2000;

const NEXT_ROW = '\n';
const BEFORE_LINE = ' ';
const BEFORE_OPENINGS = '\t';

/** What the server writes into no line and no hash; somebody else may. */
const PARTING = /[\t\n]/;

/**
 * A page of the ledger as text, which costs both sides a fraction of JSON: `headRow`, and for each line a `lineRow`.
 * @returns number and hash of the last line of all, 0 and zeros while there is none
 */
export const headRow = (head: Head | null): string =>
  `${head?.number ?? 0}${BEFORE_LINE}${head?.hash ?? NO_HASH}${NEXT_ROW}`;

/**
 * Its hash, a blank, the line, and where something of it is told a tab and the openings as ASCII JSON. An empty row, with
 * which the page can't be read, where line or hash would be taken for something else.
 */
export function lineRow({ line, hash, openings }: LedgerRow): string {
  if (PARTING.test(line) || PARTING.test(hash) || hash.includes(BEFORE_LINE)) return NEXT_ROW;
  const told = openings.length === 0 ? '' : BEFORE_OPENINGS + asciiJson(openings);
  return `${hash}${BEFORE_LINE}${line}${told}${NEXT_ROW}`;
}

const HEAD = /^(\d{1,15}) ([\x21-\x7e]{1,200})$/;
/** Number and hash of a head are no longer, with what parts them. */
const MAX_HEAD = 220;

const decoder = new TextDecoder();

/** The last line of all, by a page as text. @returns undefined where this is no such page */
export function headOfRows(bytes: Uint8Array): Head | null | undefined {
  const text = decoder.decode(bytes.subarray(0, MAX_HEAD));
  const [, number, hash] = HEAD.exec(text.slice(0, Math.max(0, text.indexOf(NEXT_ROW)))) ?? [];
  if (number === undefined || hash === undefined) return undefined;
  return number === '0' ? null : { number: Number(number), hash };
}

const readOf = readChoice(COMMITMENTS);

function readOpenings(json: string): Opening[] | null {
  let told: unknown;
  try {
    told = JSON.parse(json);
  } catch {
    return null;
  }
  if (!Array.isArray(told)) return null;
  return told.flatMap((one: unknown) => {
    const { of, salt, text } = readRecord(one);
    const [member, salted, opened] = [readOf(of), readText(salt), readText(text)];
    return member === null || salted === null || opened === null
      ? []
      : [{ of: member, salt: salted, text: opened }];
  });
}

const NO_OPENINGS: readonly Opening[] = [];

/** The lines of a page as text. @returns null where they can't be told apart with certainty */
export function readRows(bytes: Uint8Array): LedgerRow[] | null {
  const text = decoder.decode(bytes);
  // Then a character is a byte, and its place the same.
  const isAscii = text.length === bytes.length;
  const rows: LedgerRow[] = [];
  for (let start = text.indexOf(NEXT_ROW) + 1; start < text.length; ) {
    const end = text.indexOf(NEXT_ROW, start);
    const blank = text.indexOf(BEFORE_LINE, start);
    if (end === -1 || blank === -1 || blank > end || rows.length === MAX_ROWS) return null;
    const tab = text.slice(blank + 1, end).indexOf(BEFORE_OPENINGS);
    const lineEnd = tab === -1 ? end : blank + 1 + tab;
    const openings = tab === -1 ? NO_OPENINGS : readOpenings(text.slice(lineEnd + 1, end));
    if (openings === null) return null;
    const row = { hash: text.slice(start, blank), line: text.slice(blank + 1, lineEnd), openings };
    rows.push(isAscii ? { ...row, bytes: bytes.subarray(blank + 1, lineEnd) } : row);
    start = end + 1;
  }
  return rows;
}
