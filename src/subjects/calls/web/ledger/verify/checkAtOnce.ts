import { type Checked, LedgerCheck, type Sha256 } from '#subjects/calls/rules/ledger/check.ts';
import type { Head, LedgerRow } from '#subjects/calls/rules/ledger/line.ts';
import { readRows } from '#subjects/calls/rules/ledger/rows.ts';

/** What a worker is asked: the lines after a line, null for the first ones. */
export type Asked = { rows: Uint8Array<ArrayBuffer> | readonly LedgerRow[]; from: Head | null };

/** What comes of them; null where their text can't be told apart. */
export type Answered = Checked | null;

/** The lines told apart; null where they can't be. */
export const linesOf = (rows: Asked['rows']): readonly LedgerRow[] | null =>
  rows instanceof Uint8Array ? readRows(rows) : rows;

export function checkAtOnce({ rows, from }: Asked, sha256: Sha256): Answered {
  const lines = linesOf(rows);
  if (lines === null) return null;
  const check = new LedgerCheck(sha256, from);
  for (const line of lines) if (!check.add(line)) break;
  return check.result;
}
