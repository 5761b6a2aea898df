import type { AuctionAnswer, AuctionPoint, DayEventsAnswer } from '../../domain/charts/auction.ts';
import type { DailyBar, MinuteBar } from '../../domain/market/bar.ts';

/** The past bars of a source. Of a stock that it does not have the lists are empty. */
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
  /** Days up to and including `until` that had trades, oldest first, at most `count`. */
  daily(code: string, until: string, count: number): readonly DailyBar[];
  /** The minutes of a date, oldest first. */
  minutes(code: string, date: string): readonly MinuteBar[];
  /**
   * How the running session's opening auction formed until now, oldest first; absent where the source tells it only as it
   * happens.
   */
  readonly opening?: (code: string) => readonly AuctionPoint[];
  /** The running session's auctions and statuses, where the source knows them for every moment, also after a jump. */
  readonly session?: ToldSession;
};

export type ToldSession = {
  /** How a stock's session went until now: its opening auction as it formed, its statuses and its auctions. */
  of(
    code: string,
  ): Pick<DayEventsAnswer, 'statuses' | 'auctions'> & Pick<AuctionAnswer, 'columns' | 'thinned'>;
  /** Whether `of` answers at once at this moment; else it reads on first. */
  isAtHand(): boolean;
};
