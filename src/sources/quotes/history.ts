import type { AuctionAnswer, AuctionPoint, DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import type { DailyBar, MinuteBar } from '#market/rules/bar.ts';

/**
 * The past bars of a source. Of a stock that it does not have there are none. Bars are visited one by one: the bar may be one
 * object that changes after the visit, as columns are computed from millions; the visitor asks for no others meanwhile.
 */
export type History = {
  /**
   * True when any past day can be supplied at any time, as the simulator can. Then bars are loaded only when they are
   * used, nothing is kept over a restart, and long timeframes reach further back than the kept bars.
   */
  readonly isDeep: boolean;
  /** The first date of which it knows anything, YYYY-MM-DD; absent for one that reaches back without end. */
  readonly firstDate?: string;
  /**
   * Of a recording: the moment from which it knows minutes, epoch ms. Of the market's date it gives those until now then, the
   * one under way included, where others give the whole date.
   */
  readonly recordedFrom?: number;
  /** Calls `visit` with the days up to and including `until` that had trades, oldest first, at most `count`. */
  eachDay(code: string, until: string, count: number, visit: (bar: DailyBar) => void): void;
  /** Calls `visit` with the minutes of a date, oldest first. */
  eachMinute(code: string, date: string, visit: (bar: MinuteBar) => void): void;
  /**
   * How the running session's opening auction formed until now, oldest first; absent where the source tells it only as it
   * happens.
   */
  readonly opening?: (code: string) => readonly AuctionPoint[];
  /** The running session's auctions and statuses, where the source knows them for every moment, also after a jump. */
  readonly session?: KnownSession;
};

export type KnownSession = {
  /** How a stock's session went until now: its opening auction as it formed, its statuses and its auctions. */
  of(
    code: string,
  ): Pick<DayEventsAnswer, 'statuses' | 'auctions'> & Pick<AuctionAnswer, 'columns' | 'thinned'>;
  /** Whether `of` answers at once at this moment; else it reads on first. */
  isAtHand(): boolean;
  /** Reads a little of what is not at hand, some milliseconds' work. */
  readOn(): void;
};
