import type { SessionPhase } from '../../../domain/market/sessionClock.ts';
import type { Evidence } from './evidence.ts';

/** The delay of the feed as the scanner strip shows it. */
export type Delay = { label: string; minutes: number };

const MINUTE_MS = 60_000;
/** Up to here the feed counts as live: a poll interval, a bar's length and clock differences add up to this. */
const MAX_LIVE_LAG_MS = 3 * MINUTE_MS;
/** A measured lag this near to the delay that the feed declares is that delay. */
const AGREEMENT_MS = 4 * MINUTE_MS;
/** A newest trade that is older than this means a feed that stands still, which its health reports, and no delay. */
const MAX_DELAY_MS = 60 * MINUTE_MS;
/** The exchange's data without a paid feed. */
const PUBLIC_DELAY_MINUTES = 20;

/** So long after the open the delayed data are certain to hold trades of today. */
const SETTLED_MS = 35 * MINUTE_MS;

/**
 * The age of the newest trade in an answer. Of the two times of the evidence the older one counts, because a server may
 * stamp a delayed bar with its own time. Measured in continuous trading only: at any other time, and just after the open,
 * the newest trade is old without being late.
 * @param span the exchange's phase now
 * @param now epoch ms
 * @returns ms, at least 0; null when the answer does not allow to measure it
 */
export function measureLag(
  evidence: Evidence,
  span: { phase: SessionPhase; since: number },
  now: number,
): number | null {
  if (span.phase !== 'open') return null;
  const { newestUpdate, newestMinute } = evidence;
  const stated = [newestUpdate, newestMinute === null ? null : newestMinute + MINUTE_MS];
  const times = stated.filter((time): time is number => time !== null);
  if (times.length === 0) return null;
  const newest = Math.min(...times);
  const isOfToday = newest >= span.since || now - span.since > SETTLED_MS;
  return isOfToday ? Math.max(0, now - newest) : null;
}

/** The update_mode that most rows carry. */
export const dominantMode = (modes: ReadonlyMap<string, number>): string | null =>
  [...modes].reduce<[string | null, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [null, 0],
  )[0];

/** Minutes of delay that an update_mode declares: 0 for streaming, null when it says neither. */
function declaredMinutes(mode: string | null): number | null {
  if (mode === 'streaming') return 0;
  const seconds = /^delayed_streaming_(\d{1,5})$/.exec(mode ?? '')?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) / 60);
}

const delayed = (minutes: number): Delay => ({ label: `Delayed ${minutes} min`, minutes });

/**
 * The delay to show. The feed's update_mode is only a claim: a measured lag takes precedence, and a claim of live data
 * is not shown as long as no lag was measured.
 * @param mode the feed's dominant update_mode
 * @param lagMs the last measured lag, null when it was never measured
 */
export function delayOf(mode: string | null, lagMs: number | null): Delay {
  const declared = declaredMinutes(mode);
  if (lagMs === null || lagMs > MAX_DELAY_MS) {
    if (declared === 0) return { label: 'Delay not measured yet', minutes: PUBLIC_DELAY_MINUTES };
    return delayed(declared ?? PUBLIC_DELAY_MINUTES);
  }
  if (lagMs <= MAX_LIVE_LAG_MS) return { label: 'Live', minutes: 0 };
  const expected = declared || PUBLIC_DELAY_MINUTES;
  const agrees = Math.abs(lagMs - expected * MINUTE_MS) <= AGREEMENT_MS;
  return delayed(agrees ? expected : Math.round(lagMs / MINUTE_MS));
}
