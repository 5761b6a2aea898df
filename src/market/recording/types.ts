import { StartError } from '#lib/errors.ts';
import type { Release } from '../sources/announcements.ts';
import type { QuoteFacts } from '../sources/quotes.ts';
import type { AuctionAnswer, DayEventsAnswer } from '../auctions/rules/auction.ts';
import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import type { Stock, StockUpdate } from '../rules/stock.ts';

export class RecordingError extends StartError {
  override name = 'RecordingError';
}

export const damaged = (): RecordingError =>
  new RecordingError('The recording is damaged at this point. Play another part, or record again.');

/**
 * One change of the Market, as seen by the tick after it. `time` is the market's, epoch ms. Updates contain
 * changed fields, `status` and `value` even if derived. Indicators (from prices) and news (from
 * announcements) are not recorded.
 */
export type RecordedEvent = { time: number } & (
  | { kind: 'stocks'; updates: readonly StockUpdate[] }
  | { kind: 'remove'; codes: readonly string[] }
  | { kind: 'announcements'; releases: readonly Release[] }
  | { kind: 'withdrawn'; ids: readonly string[] }
  | { kind: 'calendar'; events: readonly CalendarEvent[]; removed: readonly string[] }
);

/** The complete state at a moment, from which a replay can begin; later events continue it. */
export type RecordedBase = {
  time: number;
  stocks: readonly Stock[];
  facts?: Readonly<Record<string, QuoteFacts>>;
  releases: readonly Release[];
  events: readonly CalendarEvent[];
};

export type RecordingHead = {
  version: number;
  source: { name: string; label: string; days: 'consecutive' | 'independent'; delayMinutes: number };
  date: string;
  /** Sydney's offset from UTC on that date, minutes, to detect other time zone rules. */
  utcOffsetMinutes: number;
  startedAt: number;
};

/** The fields that auctions and day events depend on. */
export type StockOutline = Pick<
  Stock,
  'code' | 'status' | 'last' | 'open' | 'volume' | 'match_price' | 'match_vol' | 'buy_surplus'
> & {
  preOpen: Stock['preOpen'] | undefined;
  quoteTime: number | null;
};

/** Reads the whole recording, one block per step, and reports changed stocks; yields the time, epoch ms. */
export type ReadOutline = (visit: (one: StockOutline, time: number) => void) => Generator<number>;

/** A stock's session up to a moment: opening auction, statuses and auctions. */
export type RecordedSession = Pick<DayEventsAnswer, 'statuses' | 'auctions'> &
  Pick<AuctionAnswer, 'columns' | 'thinned'>;
