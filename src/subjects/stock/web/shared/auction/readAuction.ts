import type { AuctionAnswer, AuctionColumns } from '../../../../../market/auctions/rules/auction.ts';
import { addAuctionPoint, emptyAuction } from '../../../../../market/auctions/rules/auction.ts';
import { sydneyDate } from '../../../../../market/rules/sydneyTime.ts';
import { readBoolean, readNumber, readRecord, readText } from '../../../../../lib/read.ts';
import { api, readAnswer, unwrap } from '../../../../../../web/api/client.ts';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A session has a day; what is further away was written by something else, and would draw an endless axis. */
const MAX_LENGTH_MS = 2 * 86_400_000;
/** The last moment that a `Date` can be, ms. */
const LATEST = 8.64e15;

/** The columns; a change without a time, or before the one in front of it, is left out. */
function readColumns(value: unknown): AuctionColumns {
  const { time, price, volume, surplus } = readRecord(value);
  const [prices, volumes, surpluses] = [price, volume, surplus].map(listOf);
  const columns = emptyAuction();
  listOf(time).forEach((one, index) => {
    const moment = readNumber(one);
    if (moment === null || Math.abs(moment) > LATEST) return;
    const { [0]: first = moment, [columns.time.length - 1]: last = moment } = columns.time;
    if (moment < last || moment - first > MAX_LENGTH_MS) return;
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
  const { date, columns: sent, thinned } = readAnswer(body);
  const columns = readColumns(sent);
  const day = readText(date) ?? '';
  return {
    date: Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? sydneyDate(columns.time[0] ?? 0) : day,
    columns,
    thinned: readBoolean(thinned) ?? false,
  };
}

/**
 * Asks how a stock's opening auction formed.
 * @throws ApiError with the sentence to show; whatever fetch throws when it is given up
 */
export const fetchAuction = (symbol: string, signal: AbortSignal) =>
  unwrap(api.data.auction.get({ query: { symbol }, fetch: { signal } }), readAuction);
