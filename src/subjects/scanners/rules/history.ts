import { MINUTE_MS } from '#lib/units.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';

/** If recorded minutes are farther apart than this, there is a gap between them. */
export const MAX_STEP = 5;

/** A time range in epoch ms by the market's clock, inclusive. */
type HistorySpan = { from: number; to: number };

export const MAX_CHANGES = 200;

/**
 * The recorded hours of a day, epoch ms: from the pre-open until the closing prices are known; null if nothing trades.
 */
export function historyHours(date: string): HistorySpan | null {
  const phases = phasesOf(date);
  const from = phases[0]?.since;
  const to = phases.find(({ phase }) => phase === 'adjust')?.since;
  return from === undefined || to === undefined ? null : { from, to: to + MINUTE_MS };
}

/** Joins spans that are not separated by a gap. */
export function joinSpans(spans: readonly HistorySpan[]): HistorySpan[] {
  const joined: HistorySpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before && span.from - before.to <= MAX_STEP * MINUTE_MS) before.to = Math.max(before.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}
