/** A stretch of time in which a stock traded: its first, highest, lowest and last price in AUD, and the shares traded. */
export type Bar = { open: number; high: number; low: number; close: number; volume: number };

/** The bar of one session; `date` is YYYY-MM-DD in Sydney. */
export type DailyBar = { date: string } & Bar;

/** The bar of a minute with trades; `time` is its beginning, epoch ms. */
export type MinuteBar = { time: number } & Bar;
