import { MINUTE_MS } from '#lib/units.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';

/** If minutes are farther apart than this, there is a gap between them; thinned minutes are five apart. */
export const MAX_STEP = 5;

/** Limit of a day's history, bytes on disk. */
export const MAX_DAY_BYTES = 3_000_000;
export const KEPT_DAYS = 10;

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

/** The share of a day's bytes that is available from the start, so that a busy pre-open is not thinned. */
const HEAD_START = 0.15;

/**
 * Minutes between recordings: one, or five if the day exceeds its share.
 * @param used bytes of the day so far
 * @param now epoch ms
 */
export function stepOf(used: number, { from, to }: HistorySpan, now: number): 1 | typeof MAX_STEP {
  const share = Math.min(1, Math.max(0, (now - from) / (to - from)));
  return used <= MAX_DAY_BYTES * (HEAD_START + (1 - HEAD_START) * share) ? 1 : MAX_STEP;
}

export function joinSpans(spans: readonly HistorySpan[]): HistorySpan[] {
  const joined: HistorySpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before && span.from - before.to <= MAX_STEP * MINUTE_MS) before.to = Math.max(before.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}
