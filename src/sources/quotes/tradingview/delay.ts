import { feedDelay, type FeedDelay, PUBLIC_DELAY_MINUTES, tradeLag } from '#market/rules/quoteLag.ts';
import type { SessionPhase } from '#market/rules/sessionClock.ts';
import type { Evidence } from './evidence.ts';

const MINUTE_MS = 60_000;

/**
 * The age of the newest trade in an answer. Of the two times of the evidence the older one counts, because a server may
 * stamp a delayed bar with its own time; for the same reason a fresh one proves nothing outside continuous trading.
 * @param span the exchange's phase now
 * @param now epoch ms
 * @returns ms, at least 0; null when the answer does not allow to measure it
 */
export function measureLag(
  evidence: Evidence,
  span: { phase: SessionPhase; since: number },
  now: number,
): number | null {
  const { newestUpdate, newestMinute } = evidence;
  const stated = [newestUpdate, newestMinute === null ? null : newestMinute + MINUTE_MS];
  const times = stated.filter((time): time is number => time !== null);
  return times.length === 0 ? null : tradeLag(Math.min(...times), span, now);
}

/** The update_mode that most rows carry. */
export const dominantMode = (modes: ReadonlyMap<string, number>): string | null =>
  [...modes].reduce<[string | null, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [null, 0],
  )[0];

/** Minutes of delay that an update_mode declares: 0 for streaming, the public delay when it says neither. */
function declaredMinutes(mode: string | null): number {
  if (mode === 'streaming') return 0;
  const seconds = /^delayed_streaming_(\d{1,5})$/.exec(mode ?? '')?.[1];
  return seconds === undefined ? PUBLIC_DELAY_MINUTES : Math.round(Number(seconds) / 60);
}

/**
 * The delay to show.
 * @param mode the feed's dominant update_mode
 * @param lagMs the last measured lag, null when it was never measured
 */
export const delayOf = (mode: string | null, lagMs: number | null): FeedDelay =>
  feedDelay({
    lagMs,
    declaredMinutes: declaredMinutes(mode),
    unmeasuredMinutes: PUBLIC_DELAY_MINUTES,
  });
