import { StartError } from '#lib/errors.ts';
import type { Release } from '#sources/announcements/source.ts';
import type { QuoteFacts } from '#sources/quotes/source.ts';
import type { AuctionAnswer, DayEventsAnswer } from '../auctions/rules/auction.ts';
import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import type { PreOpenSnapshot, Stock, StockUpdate } from '../rules/stock.ts';
import type { DayBook } from './dayBook.ts';

/** A recording can't be read or written; the message is a sentence for who asked for it. */
export class RecordingError extends StartError {
  override name = 'RecordingError';
}

/** What a part of a file holds does not fit together. */
export const damaged = (): RecordingError =>
  new RecordingError('The recording is damaged here. Play another part of it, or record again.');

/**
 * One thing that the Market took in, as the tick after it found it. `time` is the market's, epoch ms. The updates of a stock
 * state what changed of its record, `status` and `value` also where the Market worked them out. Indicators are not recorded
 * (they follow from prices), nor the news in records (they follow from announcements).
 */
export type RecordedEvent = { time: number } & (
  | { kind: 'stocks'; updates: readonly StockUpdate[] }
  | { kind: 'remove'; codes: readonly string[] }
  | { kind: 'announcements'; releases: readonly Release[] }
  | { kind: 'withdrawn'; ids: readonly string[] }
  | { kind: 'calendar'; events: readonly CalendarEvent[]; removed: readonly string[] }
);

/** The whole state at a moment, from which a replay can begin: the events after `time` lead on from it. */
export type RecordedBase = {
  time: number;
  stocks: readonly Stock[];
  /** What the Market knows of each stock besides its record, by code (`Market.facts`); absent where it was not noted. */
  facts?: Readonly<Record<string, QuoteFacts>>;
  preOpen: Readonly<Record<string, PreOpenSnapshot>>;
  releases: readonly Release[];
  events: readonly CalendarEvent[];
};

/** What the head of a recording says. */
export type RecordingHead = {
  version: number;
  /** The name and label of the source that was recorded. */
  source: { name: string; label: string; days: 'consecutive' | 'independent'; delayMinutes: number };
  /** The first session's Sydney date, YYYY-MM-DD. */
  date: string;
  /** Which rule of Sydney time it was made by, such as its offset from UTC on that date, minutes. */
  utcOffsetMinutes: number;
  startedAt: number;
};

/** A minute bar of the recording by code; `time` is its beginning, epoch ms. */
export type RecordedMinute = {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
};

/** What auctions and the day of a stock are told by. */
export type StockOutline = Pick<
  Stock,
  'code' | 'status' | 'last' | 'open' | 'volume' | 'match_price' | 'match_vol' | 'buy_surplus'
> & {
  preOpen: Stock['preOpen'] | undefined;
  /** When its last quote was made, as its provider stated it, epoch ms; null where it does not. */
  quoteTime: number | null;
};

/**
 * Reads on through the whole recording, a block at each step, telling each stock that changed; yields up to when everything was
 * told, epoch ms.
 */
export type ReadOutline = (tell: (one: StockOutline, time: number) => void) => Generator<number>;

/** How the session of a stock had gone at a moment: its opening auction as it formed, its statuses and auctions. */
export type RecordedSession = Pick<DayEventsAnswer, 'statuses' | 'auctions'> &
  Pick<AuctionAnswer, 'columns' | 'thinned'>;

/** An opened recording. What reads from it throws a RecordingError, a sentence, where the file is damaged. */
export type Recording = {
  readonly head: RecordingHead;
  /** First and last moment, epoch ms. */
  readonly from: number;
  readonly until: number;
  /** It was cut off (killed recorder, full disk): what is whole is there. */
  readonly isCutOff: boolean;
  /** The state at a moment, with all that came until then; the first one for what lies before the recording. */
  baseAt(time: number): RecordedBase;
  /** The events after one moment up to and including another, oldest first, a chunk read at a time. */
  events(after: number, until: number): Iterable<RecordedEvent>;
  /**
   * The minutes of a stock that began at a moment or before, oldest first; of the one under way what traded until then. A trade
   * is of the minute in which the Market took it.
   */
  minutes(code: string, before: number): readonly RecordedMinute[];
  /** The auctions and events of the session; absent where they can't be read apart from the rest. */
  readonly day?: DayBook;
  /**
   * Reads a little of what will be asked for, so that it is there then: minutes, auctions, statuses.
   * @returns whether nothing is left
   */
  readAhead?(): boolean;
  close(): void;
};
