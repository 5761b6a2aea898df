import {
  addAuctionPoint,
  type AuctionColumns,
  auctionIndexAt,
  auctionPointOf,
  emptyAuction,
} from '../auctions/rules/auction.ts';
import { phaseAt, type PhaseSpan } from '../rules/sessionClock.ts';
import { auctionTimes } from '../auctions/dayEvents.ts';
import { createDayLog } from '../auctions/dayLog.ts';
import type { ReadOutline, RecordedSession, RecordingHead, StockOutline } from './types.ts';

type Page = {
  columns: AuctionColumns;
  thinned: boolean;
  /** When each of the day's auctions was known, epoch ms. */
  tradesAt: number[];
};

/** The auctions and events of the recorded session, as far as they were read. */
export type DayBook = {
  /** Reads one more block. @returns whether all was read */
  readOn(): boolean;
  readUntil(): number;
  /** How a stock's day had gone at a moment; what is not read yet is read first. */
  session(code: string, until: number): RecordedSession;
};

const firstOf = (columns: AuctionColumns, length: number): AuctionColumns => ({
  time: columns.time.slice(0, length),
  price: columns.price.slice(0, length),
  volume: columns.volume.slice(0, length),
  surplus: columns.surplus.slice(0, length),
});

/** @param outline is read from its beginning, a block at a time */
export function createDayBook(head: RecordingHead, outline: ReadOutline): DayBook {
  const pages = new Map<string, Page>();
  const log = createDayLog();
  const times = auctionTimes(head.date);
  const isDelayed = head.source.delayMinutes > 0;
  let span: PhaseSpan | null = null;
  let readUntil = Number.NEGATIVE_INFINITY;
  let isComplete = false;

  function pageOf(code: string): Page {
    const page = pages.get(code) ?? { columns: emptyAuction(), thinned: false, tradesAt: [] };
    pages.set(code, page);
    return page;
  }

  function take(one: StockOutline, time: number): void {
    if (!span || time < span.since || time >= span.until) span = phaseAt(time);
    const page = pageOf(one.code);
    const point = auctionPointOf(one, time, span.phase);
    if (point && addAuctionPoint(page.columns, point).isThinned) page.thinned = true;
    log.take(one, time, one.quoteTime ?? (isDelayed ? null : time), times);
    const trades = log.get(one.code)?.auctions.length ?? 0;
    while (page.tradesAt.length < trades) page.tradesAt.push(time);
  }
  const blocks = outline(take);

  function readOn(): boolean {
    if (isComplete) return true;
    const read = blocks.next();
    isComplete = read.done === true;
    readUntil = read.done === true ? Number.POSITIVE_INFINITY : read.value;
    return isComplete;
  }

  return {
    readOn,
    readUntil: () => readUntil,
    session(code, until) {
      while (readUntil < until && !readOn()) continue;
      const { columns, thinned, tradesAt } = pages.get(code) ?? pageOf(code);
      const { statuses, auctions } = log.get(code) ?? { statuses: [], auctions: [] };
      return {
        columns: firstOf(columns, auctionIndexAt(columns.time, until) + 1),
        thinned,
        statuses: statuses.filter(({ time }) => time <= until),
        auctions: auctions.filter((_, index) => (tradesAt[index] ?? 0) <= until),
      };
    },
  };
}
