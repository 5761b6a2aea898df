export type Bar = { open: number; high: number; low: number; close: number; volume: number };

/** `date` is YYYY-MM-DD in Sydney. */
export type DailyBar = { date: string } & Bar;

/** A minute with trades; `time` is its beginning, epoch ms. */
export type MinuteBar = { time: number } & Bar;

export const CHART_TIMEFRAMES = ['1', '5', '15', '60', 'D', 'W', 'M'] as const;
export type ChartTimeframe = (typeof CHART_TIMEFRAMES)[number];

export const MAX_BARS = 2000;

export type TimeSpan = { from: number; until: number };

/**
 * Bars as columns, oldest first; bars without trades are omitted. `time` is the beginning, epoch ms; for days
 * and longer it is midnight UTC of the first Sydney date. Prices in AUD, volumes in shares.
 */
export type BarColumns = {
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
};

/** A day has slots of this length from 10:00 on. */
export const DAY_LINE_SLOT_MINUTES = 5;
export const MAX_DAY_LINES = 100;
