import { ledgerPage } from '#subjects/calls/answers/board.ts';
import { type Head, type LedgerRow, MAX_PAGE } from '#subjects/calls/rules/ledger/line.ts';
import { headOfRows, MAX_ROWS } from '#subjects/calls/rules/ledger/rows.ts';
import type { Known } from '#lib/contract/fields.ts';
import { ApiError, NETWORK_ERROR, readerOf, request } from '#web/api/client.ts';

type Page = Known<typeof ledgerPage>;

/** Lines that are checked together, as the bytes that they came in or told apart, and the last line of all. */
export type Piece = { rows: Uint8Array<ArrayBuffer> | readonly LedgerRow[]; head: Head | null };

/** The lines after a number, at most so many, and the last line of all. @throws ApiError */
export const fetchLines = (after: number, limit: number, signal?: AbortSignal): Promise<Page> =>
  request('GET /api/calls/ledger', {
    query: { after, limit },
    ...(signal ? { signal } : {}),
    read: readerOf(ledgerPage),
  });

/** The lines after a number to be checked, at most `MAX_ROWS`. @throws ApiError */
export async function fetchPiece(after: number, signal: AbortSignal): Promise<Piece> {
  const query = { after, limit: MAX_ROWS };
  const body = await request('GET /api/calls/ledger/rows', { query, signal });
  const rows = body instanceof ArrayBuffer ? new Uint8Array(body) : null;
  const head = rows === null ? undefined : headOfRows(rows);
  // Some proxy answered in the server's place.
  if (rows === null || head === undefined) throw new ApiError(NETWORK_ERROR, 502, body);
  return { rows, head };
}

/** The same where their text can't be told apart. @throws ApiError */
export async function fetchToldApart(after: number, signal: AbortSignal): Promise<Piece> {
  const { lines, head } = await fetchLines(after, MAX_PAGE, signal);
  return { rows: lines, head };
}

/** The last line; null while there is none. @throws ApiError */
export const fetchHead = async (): Promise<{ head: Head | null }> => {
  const { head } = await fetchLines(0, 1);
  return { head };
};

/** Where the whole is, as a file. */
export const FILE_ADDRESS = '/api/calls/ledger/file';
