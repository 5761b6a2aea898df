import { createPhaseReader, type PhaseSpan, sessionAt } from './rules/sessionClock.ts';
import { previousTradingDay } from './rules/tradingDay.ts';
import type { Clock } from '../lib/clock.ts';

export type MarketSession = {
  now: number;
  /** YYYY-MM-DD in Sydney; it stays until the next session begins. */
  date: string;
  since: number;
  /** The trading day before, YYYY-MM-DD. */
  previous: string;
  phase: PhaseSpan['phase'];
};

/** Computes the session again only when the phase changes. */
export function createMarketSession(clock: Clock): () => MarketSession {
  const readPhase = createPhaseReader();
  let span: PhaseSpan | undefined;
  let known: Omit<MarketSession, 'now'> | undefined;
  return () => {
    const now = clock.now();
    const current = readPhase(now);
    if (!known || current !== span) {
      span = current;
      const { date, since } = sessionAt(now);
      known = { date, since, previous: previousTradingDay(date), phase: span.phase };
    }
    return { now, ...known };
  };
}
