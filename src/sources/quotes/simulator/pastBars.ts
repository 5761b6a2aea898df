import type { DailyBar, MinuteBar } from '../../../domain/market/bar.ts';
import type { History } from '../history.ts';

/** The part of the simulated exchange that a history is made of. */
type SimulatedExchange = {
  dailyHistory(code: string, until: string, count: number): readonly DailyBar[];
  minuteBars(code: string, date: string): readonly MinuteBar[];
  readonly listings: readonly { code: string }[];
};

/** The simulator's past. Days without a trade, which it lists with four equal prices, are left out: they have no bar. */
export function simulatedHistory(exchange: SimulatedExchange): History {
  const codes = new Set(exchange.listings.map((listing) => listing.code));
  return {
    isDeep: true,
    daily: (code, until, count) =>
      codes.has(code) ? exchange.dailyHistory(code, until, count).filter((bar) => bar.volume > 0) : [],
    minutes: (code, date) => (codes.has(code) ? exchange.minuteBars(code, date) : []),
  };
}
