import type { Wire } from '#lib/contract/fields.ts';
import type { barsAnswer, quoteInBars } from './barsAnswer.ts';
import type { dayLine, dayLinesAnswer } from './dayLine.ts';

/** A stretch of time in which a stock traded: its first, highest, lowest and last price in AUD, and the shares traded. */
export type Bar = { open: number; high: number; low: number; close: number; volume: number };

/** The bar of one session; `date` is YYYY-MM-DD in Sydney. */
export type DailyBar = { date: string } & Bar;

/** The bar of a minute with trades; `time` is its beginning, epoch ms. */
export type MinuteBar = { time: number } & Bar;

/** The timeframes that a chart offers: minutes, or day, week, month. */
export const CHART_TIMEFRAMES = ['1', '5', '15', '60', 'D', 'W', 'M'] as const;
export type ChartTimeframe = (typeof CHART_TIMEFRAMES)[number];

/** At most this many bars in an answer. */
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

/** A day in slots of five minutes from 10:00 on. */
export const DAY_LINE_SLOT_MINUTES = 5;
/** At most this many stocks in an answer. */
export const MAX_DAY_LINES = 100;

// What is answered, as the contract has it.
export type QuoteInBars = Wire<typeof quoteInBars>;
export type BarsAnswer = Wire<typeof barsAnswer>;
export type DayLine = Wire<typeof dayLine>;
export type DayLinesAnswer = Wire<typeof dayLinesAnswer>;
