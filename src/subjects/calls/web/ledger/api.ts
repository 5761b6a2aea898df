import { ledgerPage } from '../../answers/ledger.ts';
import type { Head } from '../../rules/ledger/line.ts';
import type { Known } from '../../../../lib/contract/fields.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readerOf } from '../../../../../web/api/readerOf.ts';

type Page = Known<typeof ledgerPage>;

/** The lines after a number, at most so many, and the last line of all. @throws ApiError */
export const fetchLines = (after: number, limit: number, signal?: AbortSignal): Promise<Page> =>
  unwrap(
    api.calls.ledger.get({ query: { after, limit }, ...(signal ? { fetch: { signal } } : {}) }),
    readerOf(ledgerPage),
  );

/** The last line; null while there is none. @throws ApiError */
export const fetchHead = async (): Promise<{ head: Head | null }> => {
  const { head } = await fetchLines(0, 1);
  return { head };
};

/** Where the whole is, as a file. */
export const FILE_ADDRESS = '/api/calls/ledger/file';
