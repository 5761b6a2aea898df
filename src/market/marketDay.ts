import { phaseAt, type PhaseSpan } from '../domain/market/sessionClock.ts';
import { previousTradingDay } from '../domain/market/tradingDay.ts';
import { addDays, fromSydney, sydneyDate } from '../domain/market/sydneyTime.ts';
import type { Clock } from '../lib/clock.ts';

/** The market's present moment, date and phase. */
export type MarketDay = {
  /** Epoch ms. */
  now: number;
  /** Sydney date, YYYY-MM-DD. */
  date: string;
  /** The trading day before it, YYYY-MM-DD. */
  previous: string;
  phase: PhaseSpan['phase'];
};

/** A function that reads the market's clock; date and phase are computed again only after one of them has ended. */
export function createMarketDay(clock: Clock): () => MarketDay {
  // Where the date and phase computed last hold.
  let since = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  let today: Omit<MarketDay, 'now'> | undefined;
  return () => {
    const now = clock.now();
    if (!today || now < since || now >= until) {
      const date = sydneyDate(now);
      const span = phaseAt(now);
      since = Math.max(span.since, fromSydney(date, 0, 0));
      until = Math.min(span.until, fromSydney(addDays(date, 1), 0, 0));
      today = { date, previous: previousTradingDay(date), phase: span.phase };
    }
    return { now, ...today };
  };
}
