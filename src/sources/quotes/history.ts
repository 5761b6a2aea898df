import type { DailyBar, MinuteBar } from '../../domain/market/bar.ts';

/** Where the past of a stock comes from. A stock that is not known there has none: empty lists. */
export type History = {
  /**
   * True when every past day can be given again at any time, as the simulator can. Then nothing is kept that nobody
   * looks at, and long timeframes may look further back than what is kept.
   */
  readonly isDeep: boolean;
  /** Days up to and including `until` that had trades, oldest first, at most `count`. */
  daily(code: string, until: string, count: number): readonly DailyBar[];
  /** The minutes of a date, oldest first. */
  minutes(code: string, date: string): readonly MinuteBar[];
};
