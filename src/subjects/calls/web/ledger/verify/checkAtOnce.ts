import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type Sha256, type Checked, LedgerCheck } from '#subjects/calls/rules/ledger/check.ts';
import type { LatestEntry, LedgerRow } from '#subjects/calls/rules/ledger/entry.ts';
import { readRows } from '#subjects/calls/rules/ledger/rows.ts';

/**
 * SHA-256 of a text's UTF-8 bytes, hex. The browser's own hashing is missing on plain http and would cost a turn of the
 * event loop per entry.
 */
export function createHex(): Sha256 {
  const encoder = new TextEncoder();
  // Reused for each entry, because entries are short.
  let space = new Uint8Array(4096);
  function bytesOf(text: string): Uint8Array {
    // UTF-8 needs at most three bytes per UTF-16 unit.
    if (space.length < text.length * 3) space = new Uint8Array(text.length * 3);
    const { written } = encoder.encodeInto(text, space);
    return space.subarray(0, written);
  }
  return (text, bytes = bytesOf(text)) => bytesToHex(sha256(bytes));
}

/** A request to a worker: entries, and the entry before them, null for the first ones. */
export type Asked = { rows: Uint8Array<ArrayBuffer> | readonly LedgerRow[]; from: LatestEntry | null };

/** Null if the text cannot be split into entries. */
export type Answered = Checked | null;

/** Null if the text cannot be split into entries. */
export const linesOf = (rows: Asked['rows']): readonly LedgerRow[] | null =>
  rows instanceof Uint8Array ? readRows(rows) : rows;

export function checkAtOnce({ rows, from }: Asked, sha256: Sha256): Answered {
  const lines = linesOf(rows);
  if (lines === null) return null;
  const check = new LedgerCheck(sha256, from);
  for (const line of lines) if (!check.add(line)) break;
  return check.result;
}
