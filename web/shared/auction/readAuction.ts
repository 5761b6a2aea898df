import type { AuctionAnswer, AuctionColumns } from '../../../src/domain/charts/auction.ts';
import { addAuctionPoint, emptyAuction } from '../../../src/domain/charts/auction.ts';
import { readBoolean, readNumber, readRecord, readText } from '../../../src/lib/read.ts';
import { api, readAnswer, unwrap } from '../api/client.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** The columns; a change without a time, or before the one in front of it, is left out. */
function readColumns(value: unknown): AuctionColumns {
  const { time, price, volume, surplus } = readRecord(value);
  const [prices, volumes, surpluses] = [price, volume, surplus].map(listOf);
  const columns = emptyAuction();
  listOf(time).forEach((one, index) => {
    const moment = readNumber(one);
    if (moment === null || moment < (columns.time.at(-1) ?? moment)) return;
    addAuctionPoint(columns, {
      time: moment,
      price: readNumber(prices?.[index]),
      volume: readNumber(volumes?.[index]),
      surplus: readNumber(surpluses?.[index]),
    });
  });
  return columns;
}

/** An auction as it formed until now; its columns may be added to. */
export function readAuction(body: unknown): Omit<AuctionAnswer, 'symbol'> {
  const { date, columns, thinned } = readAnswer(body);
  return {
    date: readText(date) ?? '',
    columns: readColumns(columns),
    thinned: readBoolean(thinned) ?? false,
  };
}

/**
 * Asks how a stock's opening auction formed.
 * @throws ApiError with the sentence to show; whatever fetch throws when it is given up
 */
export const fetchAuction = (symbol: string, signal: AbortSignal) =>
  unwrap(api.data.auction.get({ query: { symbol }, fetch: { signal } }), readAuction);
