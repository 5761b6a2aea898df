import type { Clock, Stopwatch } from '#lib/clock.ts';
import { createPhaseReader, type PhaseSpan, phasesOf, type SessionPhase } from '../rules/sessionClock.ts';
import { addDays, sydneyDate } from '../rules/sydneyTime.ts';
import { previousTradingDay } from '../rules/tradingDay.ts';

/** In trading hours a longer silence hides trades, ms. */
const MAX_SILENCE_MS = 5 * 60_000;
/** From the closing auction to the end of the post-close nothing but its trades may come, ms. */
const MAX_CLOSING_SILENCE_MS = 11 * 60_000;
/** The longest stretch of holidays is shorter. */
const MAX_DAYS = 12;

/** Whether shares were traded for longer than a short silence between two moments. Epoch ms by the market's clock. */
export function hasTradedBetween(from: number, until: number): boolean {
  if (until < from || until - from > MAX_DAYS * 86_400_000) return true;
  const last = sydneyDate(until);
  for (let date = sydneyDate(from); date <= last; date = addDays(date, 1)) {
    const spans = phasesOf(date);
    const open = spans.find(({ phase }) => phase === 'ospa')?.since ?? until;
    const close = spans.find(({ phase }) => phase === 'post-close')?.since ?? from;
    if (Math.min(until, close) - Math.max(from, open) > MAX_SILENCE_MS) return true;
  }
  return false;
}

export type GapsDeps = {
  /** The market's clock. */
  clock: Clock;
  stopwatch: Stopwatch;
  market: { date(): string };
};

/**
 * Counts the times at which trades may have been missed. If the count is the same at two moments, every trade between them
 * was seen. Silence is measured by the stopwatch.
 */
export class Gaps {
  count = 0;
  private readonly readPhase = createPhaseReader();
  private span: PhaseSpan | null = null;
  /** When the phase began, by the stopwatch. */
  private phaseAt = Number.NEGATIVE_INFINITY;
  private date: string | null = null;
  private batchAt: number;
  private isSilent = false;

  constructor(private readonly deps: GapsDeps) {
    this.batchAt = deps.stopwatch.monotonic();
  }

  /** A batch came from the source. */
  batch(): void {
    this.look();
    this.batchAt = this.deps.stopwatch.monotonic();
    if (this.isSilent) this.count += 1;
    this.isSilent = false;
  }

  /** To be called at every tick. @returns the exchange's phase */
  look(): SessionPhase {
    const { clock, stopwatch, market } = this.deps;
    const span = this.readPhase(clock.now());
    const { phase } = span;
    const now = stopwatch.monotonic();
    const isNew = span.since !== this.span?.since;
    if (isNew && phase === 'adjust') this.isSilent ||= now - this.batchAt > MAX_CLOSING_SILENCE_MS;
    if (isNew) this.phaseAt = now;
    // Nothing has to come at night.
    const silence = now - Math.max(this.batchAt, this.phaseAt);
    if (phase === 'open') this.isSilent ||= silence > MAX_SILENCE_MS;
    const date = market.date();
    if (this.date !== null && date !== this.date && previousTradingDay(date) !== this.date) this.count += 1;
    this.date = date;
    this.span = span;
    return phase;
  }
}
