import { createPhaseReader, type PhaseSpan, sessionAt } from './rules/sessionClock.ts';
import { previousTradingDay } from './rules/tradingDay.ts';
import type { Clock } from '../lib/clock.ts';

/** The market's present moment, the session that it shows and the exchange's phase. */
export type MarketSession = {
  /** Epoch ms. */
  now: number;
  /** Sydney date of the session, YYYY-MM-DD; it stays until the next session begins. */
  date: string;
  /** When the session began, epoch ms. */
  since: number;
  /** The trading day before it, YYYY-MM-DD. */
  previous: string;
  phase: PhaseSpan['phase'];
};

/** A function that reads the market's clock; the session is computed again only when the phase is another one. */
export function createMarketSession(clock: Clock): () => MarketSession {
  // A session begins with a phase, so both hold in the span of the phase.
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
