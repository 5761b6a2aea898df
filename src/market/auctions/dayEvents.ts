import type { DayEventsAnswer } from './rules/auction.ts';
import { phasesOf, type SessionPhase } from '../rules/sessionClock.ts';
import type { Stock } from '../rules/stock.ts';

export type StatusChange = DayEventsAnswer['statuses'][number];
export type AuctionTrade = DayEventsAnswer['auctions'][number];

/** What of a stock its events are told by. */
type EventStock = Pick<Stock, 'code' | 'status' | 'open' | 'last' | 'volume'> & {
  preOpen?: Stock['preOpen'] | undefined;
};

/** What happened to a stock in a session. */
export type DayEvents = {
  statuses: StatusChange[];
  auctions: AuctionTrade[];
  /** The volume before the closing auction, shares; null while it is not known. */
  volumeBefore: number | null;
};

/** A day has some seven changes of status; a hostile feed may make thousands. */
const MAX_STATUSES = 60;

/** Stocks open by their first letter until nine minutes after the first ones; a later auction ended a halt. */
const OPENING_MS = 15 * 60_000;
/** The exchange holds its closing auction at a random moment: it may come so much later than the phase says. */
const CLOSING_MS = 30_000;

const noEvents = (): DayEvents => ({ statuses: [], auctions: [], volumeBefore: null });

/** Takes note of the stock's status, in place. @returns whether it is another one than before */
function noteStatus(events: DayEvents, status: string, time: number): boolean {
  const { statuses } = events;
  if (statuses.at(-1)?.status === status) return false;
  statuses.push({ time: Math.max(time, statuses.at(-1)?.time ?? time), status });
  // The first one tells since when the day is known.
  if (statuses.length > MAX_STATUSES) statuses.splice(1, statuses.length - MAX_STATUSES);
  return true;
}

/** When a day's trading begins, and when and until when its closing auction is held, epoch ms. */
export type AuctionTimes = { open: number; cspa: number; postClose: number };

/** @param date Sydney date, YYYY-MM-DD; on one without trading nothing begins */
export function auctionTimes(date: string): AuctionTimes {
  const spans = phasesOf(date);
  const startOf = (phase: SessionPhase): number =>
    spans.find((span) => span.phase === phase)?.since ?? Number.POSITIVE_INFINITY;
  return { open: startOf('open'), cspa: startOf('cspa'), postClose: startOf('post-close') };
}

/**
 * What the opening auction traded at: the open, once the auction's last indicative result is kept. Its match volume is what
 * traded, where it was at that price.
 * @returns null while that is not known, and for an auction that ended a halt later in the day
 */
function openingOf(
  { open, preOpen }: Pick<EventStock, 'open' | 'preOpen'>,
  times: AuctionTimes,
): AuctionTrade | null {
  const snapshot = preOpen?.snapshot;
  if (!snapshot || open === null) return null;
  const time = Date.parse(snapshot.capturedAt);
  if (!(time - times.open <= OPENING_MS)) return null;
  const isMatched = snapshot.match_price !== null && Math.abs(snapshot.match_price - open) < 1e-9;
  return { time, kind: 'open', price: open, volume: isMatched ? snapshot.match_vol : null };
}

/**
 * What the closing auction traded at: the first trade after continuous trading has ended, while the auction is held. Also
 * takes note of the volume before it, in place.
 * @param quoteTime when the stock's last quote was made, epoch ms
 * @returns null when this quote tells of no closing auction
 */
function closingOf(
  events: DayEvents,
  { last, volume }: Pick<EventStock, 'last' | 'volume'>,
  quoteTime: number,
  times: AuctionTimes,
): AuctionTrade | null {
  const before = events.volumeBefore;
  if (quoteTime < times.cspa) {
    if (quoteTime >= times.open) events.volumeBefore = volume;
    return null;
  }
  if (quoteTime >= times.postClose + CLOSING_MS) return null;
  if (last === null || volume === null || before === null || volume <= before) return null;
  return { time: quoteTime, kind: 'close', price: last, volume: volume - before };
}

function isKnown({ auctions }: DayEvents, kind: AuctionTrade['kind']): boolean {
  for (const auction of auctions) if (auction.kind === kind) return true;
  return false;
}

/** The session's statuses and auctions by code. */
export class DayLog {
  private readonly all = new Map<string, DayEvents>();
  private readonly touched = new Set<string>();

  /**
   * Takes note of what a stock shows now. Thousands come with a tick, and few of them tell of anything.
   * @param now epoch ms on the market's clock
   * @param quoteTime when its last quote was made, epoch ms; null when that is not known
   */
  take(stock: EventStock, now: number, quoteTime: number | null, times: AuctionTimes): void {
    const { code } = stock;
    let events = this.all.get(code);
    if (!events) this.all.set(code, (events = noEvents()));
    const isNew = noteStatus(events, stock.status, now);
    const opening = isKnown(events, 'open') ? null : openingOf(stock, times);
    if (opening) events.auctions.push(opening);
    const closing =
      quoteTime === null || isKnown(events, 'close') ? null : closingOf(events, stock, quoteTime, times);
    if (closing) events.auctions.push(closing);
    if (isNew || opening || closing) this.touched.add(code);
  }

  /** What happened to a stock; undefined when nothing is known. Not to be changed. */
  get(code: string): Readonly<DayEvents> | undefined {
    return this.all.get(code);
  }

  /** Puts what an earlier run saved in the place of what is known of a stock. */
  restore(code: string, events: DayEvents): void {
    this.all.set(code, events);
  }

  /** Those that changed since `saved` was called. */
  unsaved(): Map<string, DayEvents> {
    const found = new Map<string, DayEvents>();
    for (const code of this.touched) {
      const events = this.all.get(code);
      if (events) found.set(code, events);
    }
    return found;
  }

  saved(): void {
    this.touched.clear();
  }

  clear(): void {
    this.all.clear();
    this.touched.clear();
  }

  size(): number {
    return this.all.size;
  }
}
