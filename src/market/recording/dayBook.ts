import { lastAtMost } from '#lib/search.ts';
import type { MinuteBar } from '../bars/rules/bars.ts';
import type {
  ReadOutline,
  RecordedBase,
  RecordedEvent,
  RecordedSession,
  RecordingHead,
  StockOutline,
} from './types.ts';
import type { AnnouncementSink, Release } from '../sources/announcements.ts';
import { type AuctionTimes, auctionTimes, DayLog } from '../auctions/dayEvents.ts';
import {
  addAuctionPoint,
  type AuctionColumns,
  auctionPointOf,
  emptyAuction,
} from '../auctions/rules/auction.ts';
import { createPhaseReader } from '../rules/sessionClock.ts';

export type Recording = {
  readonly head: RecordingHead;
  readonly from: number;
  readonly until: number;
  /** Incomplete (killed recorder, full disk); its complete blocks are readable. */
  readonly isCutOff: boolean;
  /** The state at a moment; the first one for earlier moments. */
  baseAt(time: number): RecordedBase;
  /** Events after one moment up to and including another, oldest first, read lazily. */
  events(after: number, until: number): Iterable<RecordedEvent>;
  /**
   * A stock's minutes up to a moment, oldest first; the last may be partial. A trade counts in the minute in
   * which the Market received it.
   */
  minutes(code: string, before: number): readonly MinuteBar[];
  readonly day?: DayBook;
  /** Reads data that will be needed: minutes, auctions, statuses. @returns whether nothing is left */
  readAhead?(): boolean;
  close(): void;
};

type Page = {
  columns: AuctionColumns;
  thinned: boolean;
  tradesAt: number[];
};

const firstOf = (columns: AuctionColumns, length: number): AuctionColumns => ({
  time: columns.time.slice(0, length),
  price: columns.price.slice(0, length),
  volume: columns.volume.slice(0, length),
  surplus: columns.surplus.slice(0, length),
});

export class DayBook {
  private readonly pages = new Map<string, Page>();
  private readonly log = new DayLog();
  private readonly times: AuctionTimes;
  private readonly isDelayed: boolean;
  private readonly blocks: Generator<number>;
  private readonly readPhase = createPhaseReader();
  private known = Number.NEGATIVE_INFINITY;

  constructor(head: RecordingHead, outline: ReadOutline) {
    this.times = auctionTimes(head.date);
    this.isDelayed = head.source.delayMinutes > 0;
    this.blocks = outline((one, time) => this.take(one, time));
  }

  readOn(): boolean {
    if (this.known === Number.POSITIVE_INFINITY) return true;
    const read = this.blocks.next();
    this.known = read.done === true ? Number.POSITIVE_INFINITY : read.value;
    return read.done === true;
  }

  readUntil(): number {
    return this.known;
  }

  /** A stock's day up to a moment; reads missing blocks first. */
  session(code: string, until: number): RecordedSession {
    while (this.known < until && !this.readOn()) continue;
    const { columns, thinned, tradesAt } = this.pageOf(code);
    const { statuses, auctions } = this.log.get(code) ?? { statuses: [], auctions: [] };
    return {
      columns: firstOf(columns, lastAtMost(columns.time, until) + 1),
      thinned,
      statuses: statuses.filter(({ time }) => time <= until),
      auctions: auctions.filter((_, index) => (tradesAt[index] ?? 0) <= until),
    };
  }

  private pageOf(code: string): Page {
    const page = this.pages.get(code) ?? { columns: emptyAuction(), thinned: false, tradesAt: [] };
    this.pages.set(code, page);
    return page;
  }

  private take(one: StockOutline, time: number): void {
    const page = this.pageOf(one.code);
    const point = auctionPointOf(one, time, this.readPhase(time).phase);
    if (point && addAuctionPoint(page.columns, point).isThinned) page.thinned = true;
    this.log.take(one, time, one.quoteTime ?? (this.isDelayed ? null : time), this.times);
    const trades = this.log.get(one.code)?.auctions.length ?? 0;
    while (page.tradesAt.length < trades) page.tradesAt.push(time);
  }
}

const MAX_RELEASES = 5000;

/** Announcements for a recorder without a database. The oldest are dropped. */
export function createNewsBook() {
  const byId = new Map<string, Release>();

  function put(release: Release): 'added' | 'changed' | null {
    const before = byId.get(release.id);
    if (before && Bun.deepEquals(before, release)) return null;
    byId.set(release.id, release);
    const [oldest] = byId.keys();
    if (byId.size > MAX_RELEASES && oldest !== undefined) byId.delete(oldest);
    return before ? 'changed' : 'added';
  }

  const sink: AnnouncementSink = {
    apply(releases) {
      const done = releases.map(put);
      return {
        added: done.filter((one) => one === 'added').length,
        changed: done.filter((one) => one === 'changed').length,
      };
    },
    withdraw(ids) {
      for (const id of ids) byId.delete(id);
    },
    knows: (id) => byId.has(id),
    keptSince: (time) => [...byId.values()].filter((release) => release.time >= time),
  };
  return { sink, all: () => byId.values() };
}
