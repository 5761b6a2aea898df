/** The timeframes that a chart offers: minutes, or day, week, month. */
export const CHART_TIMEFRAMES = ['1', '5', '15', '60', 'D', 'W', 'M'] as const;
export type ChartTimeframe = (typeof CHART_TIMEFRAMES)[number];

/** At most so many bars in an answer. */
export const MAX_BARS = 2000;

/** A stretch of time, epoch ms; `until` is not part of it. */
export type TimeSpan = { from: number; until: number };

/**
 * Bars as columns, oldest first. `time` is the beginning of each bar, epoch ms; of a day, week or month it is midnight UTC
 * of its first date, which is a date of Sydney. Prices are AUD, volumes shares. A bar without trades is not there.
 */
export type BarColumns = {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
};

/**
 * What the stock showed when bars were made of it; AUD and shares. Who goes on with them needs it to tell what is new.
 * `date` is a date of Sydney, YYYY-MM-DD.
 */
export type QuoteInBars = { date: string; last: number; high: number; low: number; volume: number | null };

/** The answer of `GET /api/data/bars`. */
export type BarsAnswer = {
  symbol: string;
  tf: ChartTimeframe;
  bars: BarColumns;
  /** The newest quote in the bars; null in an answer with `before`, and while there is none. */
  quote: QuoteInBars | null;
  /** What else is to be said: a sentence, as of a stock that is not listed any more; null when there is nothing. */
  note: string | null;
  /** The earliest moment from which this source's bars are known, epoch ms; null while nothing is. */
  knownSince: number | null;
  /** There are older bars: ask again with `before` = the first time. */
  hasMore: boolean;
  /** Stretches within the answer that are not known, as the server was off or the source silent: shown as gaps. */
  unknown: TimeSpan[];
};

/** A day in slots of five minutes from 10:00 on. */
export const DAY_LINE_SLOT_MINUTES = 5;
/** At most so many stocks in an answer. */
export const MAX_DAY_LINES = 100;

/**
 * One stock's day. `closes` has the last price of each slot from 10:00 on, AUD; null without a trade in it. The opening
 * auction belongs to the first slot.
 */
export type DayLine = { previousClose: number | null; closes: (number | null)[] };

/** The answer of `GET /api/data/day-lines`. */
export type DayLinesAnswer = {
  /** The session's Sydney date, YYYY-MM-DD. */
  date: string;
  /** 10:00 of it, epoch ms. */
  from: number;
  slotMinutes: number;
  /** By code; stocks that are not known are left out. */
  lines: Record<string, DayLine>;
  /** Stretches of the day that are not known: shown as gaps. */
  unknown: TimeSpan[];
};
