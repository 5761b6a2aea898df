import { boolean, list, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { readMembers, readNumber, readRecord } from '#lib/read.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { addAuctionPoint, type AuctionColumns, emptyAuction } from './auction.ts';

/** A session has a day; what is further away was written by something else, and would draw an endless axis. */
const MAX_LENGTH_MS = 2 * 86_400_000;
/** The last moment that a `Date` can be, ms. */
const LATEST = 8.64e15;

/** The columns; a change without a time, or before the one in front of it, is left out. */
function readColumns(value: unknown): AuctionColumns {
  const { time, price, volume, surplus } = readRecord(value);
  const [prices, volumes, surpluses] = [price, volume, surplus].map(readMembers);
  const columns = emptyAuction();
  readMembers(time).forEach((one, index) => {
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

const figures = list(orNull(number));

const given = object({
  symbol: ours(or(text, '')),
  /** The session's Sydney date, YYYY-MM-DD. */
  date: ours(or(text, '')),
  columns: readBy(
    object({ time: list(number), price: figures, volume: ours(figures), surplus: ours(figures) }),
    readColumns,
  ),
  /** Changes that were left out to keep the series bounded. */
  thinned: ours(or(boolean, false)),
});

const isDate = (date: string): boolean => !Number.isNaN(Date.parse(`${date}T00:00:00Z`));

/** `GET /api/data/auction`. As it formed until now; what was read of its columns may be added to. */
export const auctionAnswer = readBy(given, (value) => {
  const known = given.read(value);
  return (
    known && { ...known, date: isDate(known.date) ? known.date : sydneyDate(known.columns.time[0] ?? 0) }
  );
});
