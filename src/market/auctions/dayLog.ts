import {
  type AuctionTimes,
  type AuctionTrade,
  closingOf,
  type DayEvents,
  type EventStock,
  noEvents,
  noteStatus,
  openingOf,
} from './dayEvents.ts';

/** The session's statuses and auctions by code. */
export type DayLog = {
  /**
   * Takes note of what a stock shows now.
   * @param now epoch ms on the market's clock
   * @param quoteTime when its last quote was made, epoch ms; null when that is not known
   */
  take(stock: EventStock, now: number, quoteTime: number | null, times: AuctionTimes): void;
  /** What happened to a stock; undefined when nothing is known. Not to be changed. */
  get(code: string): Readonly<DayEvents> | undefined;
  /** Puts what an earlier run saved in the place of what is known of a stock. */
  restore(code: string, events: DayEvents): void;
  /** Those that changed since `saved` was called. */
  unsaved(): Map<string, DayEvents>;
  saved(): void;
  clear(): void;
  size(): number;
};

function isKnown({ auctions }: DayEvents, kind: AuctionTrade['kind']): boolean {
  for (const auction of auctions) if (auction.kind === kind) return true;
  return false;
}

export function createDayLog(): DayLog {
  const all = new Map<string, DayEvents>();
  const touched = new Set<string>();

  // Thousands come with a tick, and few of them tell of anything.
  function hasChanged(
    events: DayEvents,
    stock: EventStock,
    now: number,
    quoteTime: number | null,
    times: AuctionTimes,
  ): boolean {
    const isNew = noteStatus(events, stock.status, now);
    const opening = isKnown(events, 'open') ? null : openingOf(stock, times);
    if (opening) events.auctions.push(opening);
    const closing =
      quoteTime === null || isKnown(events, 'close') ? null : closingOf(events, stock, quoteTime, times);
    if (closing) events.auctions.push(closing);
    return isNew || opening !== null || closing !== null;
  }

  return {
    take(stock, now, quoteTime, times) {
      const { code } = stock;
      let events = all.get(code);
      if (!events) all.set(code, (events = noEvents()));
      if (hasChanged(events, stock, now, quoteTime, times)) touched.add(code);
    },
    get: (code) => all.get(code),
    restore: (code, events) => void all.set(code, events),
    unsaved: () =>
      new Map(
        [...touched].flatMap((code) => {
          const events = all.get(code);
          return events ? [[code, events] as const] : [];
        }),
      ),
    saved: () => touched.clear(),
    clear() {
      all.clear();
      touched.clear();
    },
    size: () => all.size,
  };
}
