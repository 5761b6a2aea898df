import type { DayEventsAnswer } from './rules/auction.ts';
import { phasesOf, type SessionPhase } from '../rules/sessionClock.ts';
import type { Stock } from '../rules/stock.ts';

export type StatusChange = DayEventsAnswer['statuses'][number];
export type AuctionTrade = DayEventsAnswer['auctions'][number];

type EventStock = Pick<Stock, 'code' | 'status' | 'open' | 'last' | 'volume'> & {
  preOpen?: Stock['preOpen'] | undefined;
};

export type DayEvents = {
  statuses: StatusChange[];
  auctions: AuctionTrade[];
  volumeBefore: number | null;
};

/** A day has about seven changes of status, but a hostile feed may send thousands. */
const MAX_STATUSES = 60;

/** The first stocks open nine minutes before the last; a later auction ended a halt. */
const OPENING_MS = 15 * 60_000;
/** The closing auction is at a random moment, up to this much after the phase begins. */
const CLOSING_MS = 30_000;

const noEvents = (): DayEvents => ({ statuses: [], auctions: [], volumeBefore: null });

function noteStatus(events: DayEvents, status: string, time: number): boolean {
  const { statuses } = events;
  if (statuses.at(-1)?.status === status) return false;
  statuses.push({ time: Math.max(time, statuses.at(-1)?.time ?? time), status });
  // The first status stays, because its time says since when the day is known.
  if (statuses.length > MAX_STATUSES) statuses.splice(1, statuses.length - MAX_STATUSES);
  return true;
}

export type AuctionTimes = { open: number; cspa: number; postClose: number };

export function auctionTimes(date: string): AuctionTimes {
  const spans = phasesOf(date);
  const startOf = (phase: SessionPhase): number =>
    spans.find((span) => span.phase === phase)?.since ?? Number.POSITIVE_INFINITY;
  return { open: startOf('open'), cspa: startOf('cspa'), postClose: startOf('post-close') };
}

/**
 * The opening auction's trade at the open price. Its volume is the match volume if the prices agree.
 * @returns null until the last indicative result is known, and for an auction that ended a halt later
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
 * The closing auction's trade: the first trade during the auction phase. Also records the volume before it in
 * `events`.
 * @param quoteTime epoch ms
 * @returns null if this quote shows no closing auction
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

export class DayLog {
  private readonly all = new Map<string, DayEvents>();
  private readonly touched = new Set<string>();

  /**
   * Records a stock's status and auctions. Each tick brings thousands of stocks, of which few have changed.
   * @param now epoch ms on the market's clock
   * @param quoteTime epoch ms; null if unknown
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

  get(code: string): Readonly<DayEvents> | undefined {
    return this.all.get(code);
  }

  restore(code: string, events: DayEvents): void {
    this.all.set(code, events);
  }

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
