import type { PhaseSpan } from '../../domain/market/sessionClock.ts';
import {
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
  take(stock: EventStock, now: number, quoteTime: number | null, phases: readonly PhaseSpan[]): void;
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

export function createDayLog(): DayLog {
  const all = new Map<string, DayEvents>();
  const touched = new Set<string>();

  function hasChanged(
    events: DayEvents,
    stock: EventStock,
    now: number,
    quoteTime: number | null,
    phases: readonly PhaseSpan[],
  ): boolean {
    let isNew = noteStatus(events, stock.status, now);
    const has = (kind: AuctionTrade['kind']): boolean => events.auctions.some((one) => one.kind === kind);
    const opening = has('open') ? null : openingOf(stock, phases);
    if (opening) events.auctions.push(opening);
    const closing = quoteTime === null || has('close') ? null : closingOf(events, stock, quoteTime, phases);
    if (closing) events.auctions.push(closing);
    isNew ||= opening !== null || closing !== null;
    return isNew;
  }

  return {
    take(stock, now, quoteTime, phases) {
      const { code } = stock;
      const events = all.get(code) ?? noEvents();
      all.set(code, events);
      if (hasChanged(events, stock, now, quoteTime, phases)) touched.add(code);
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
