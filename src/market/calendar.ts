import { phaseAt, type PhaseSpan, previousTradingDay } from '../domain/session.ts';
import { addDays, fromSydney, sydneyDate } from '../domain/sydneyTime.ts';
import type { Clock } from '../sources/source.ts';

export type Today = {
  now: number;
  /** Sydney date, YYYY-MM-DD. */
  date: string;
  /** The trading day before it: the oldest whose news is kept. */
  previous: string;
  phase: PhaseSpan['phase'];
};

/** Reads date and phase off the market's clock; computed again only when one of them ends. */
export function createCalendar(clock: Clock): () => Today {
  let since = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  let today: Omit<Today, 'now'> | undefined;
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
