import { phaseAt, type PhaseSpan } from './sessionClock.ts';

/** The delay of a feed as the scanner strip shows it. */
export type FeedDelay = { label: string; minutes: number };

const MINUTE_MS = 60_000;
/** Up to here a feed counts as live: a poll interval, a bar's length and clock differences add up to this. */
const MAX_LIVE_LAG_MS = 3 * MINUTE_MS;
/** A measured lag this near to the delay that the feed declares is that delay. */
const AGREEMENT_MS = 4 * MINUTE_MS;
/** Older quotes mean a feed that stands still: their age is told, and no delay. */
const MAX_DELAY_MS = 60 * MINUTE_MS;
/** Well above the public delay: when the newest quote of the whole market is older, the feed stands still. */
const STANDING_STILL_MS = 35 * MINUTE_MS;
/** The exchange's data without a paid feed. */
export const PUBLIC_DELAY_MINUTES = 20;
/** So long after the open also delayed data are certain to hold trades of the session. */
const SETTLED_MS = 35 * MINUTE_MS;

type OpenSpan = Pick<PhaseSpan, 'phase' | 'since'>;

/**
 * How late the newest trade of a feed is, in continuous trading: at any other time, and just after the open, it is old
 * without being late.
 * @param newest when it was made, epoch ms
 * @param span the exchange's phase now
 * @param now epoch ms
 * @returns ms, at least 0; null when it can't be told
 */
export function tradeLag(newest: number, { phase, since }: OpenSpan, now: number): number | null {
  if (phase !== 'open') return null;
  return newest >= since || now - since > SETTLED_MS ? Math.max(0, now - newest) : null;
}

/**
 * How late a feed is by the newest of its quotes, which it times itself: a fresh one shows it at any hour, an old one in
 * continuous trading only.
 * @param newest when the quote was made, epoch ms; null when none stated its time
 * @returns ms, at least 0; null when it can't be told
 */
export function quoteLag(newest: number | null, span: OpenSpan, now: number): number | null {
  if (newest === null) return null;
  const lag = Math.max(0, now - newest);
  return lag <= MAX_LIVE_LAG_MS ? lag : tradeLag(newest, span, now);
}

const delayed = (minutes: number): FeedDelay => ({ label: `Delayed ${minutes} min`, minutes });

const oldLabel = (hours: number): string =>
  hours < 48 ? `Prices ${hours} h old` : `Prices ${Math.round(hours / 24)} days old`;

/**
 * The delay to show. What a feed declares is only a claim: a measured lag takes precedence, and a claim of live data is
 * not shown as long as no lag was measured.
 * @param known.lagMs the last measured lag; null when it was never measured
 * @param known.declaredMinutes the delay that the feed declares; 0 when it claims to be live
 * @param known.unmeasuredMinutes what to reckon with while a claim of live data is not measured
 */
export function feedDelay(known: {
  lagMs: number | null;
  declaredMinutes: number;
  unmeasuredMinutes: number;
}): FeedDelay {
  const { lagMs, declaredMinutes, unmeasuredMinutes } = known;
  if (lagMs === null) {
    if (declaredMinutes > 0) return delayed(declaredMinutes);
    return { label: 'Delay not measured yet', minutes: unmeasuredMinutes };
  }
  if (lagMs > MAX_DELAY_MS) {
    const minutes = Math.round(lagMs / MINUTE_MS);
    return { label: oldLabel(Math.round(minutes / 60)), minutes };
  }
  if (lagMs <= MAX_LIVE_LAG_MS) return { label: 'Live', minutes: 0 };
  const expected = declaredMinutes || PUBLIC_DELAY_MINUTES;
  const agrees = Math.abs(lagMs - expected * MINUTE_MS) <= AGREEMENT_MS;
  return delayed(agrees ? expected : Math.round(lagMs / MINUTE_MS));
}

/**
 * Whether a feed is far later than any usual delay while the exchange trades.
 * @param now epoch ms
 */
export const isStandingStill = (lagMs: number | null, now: number): boolean =>
  lagMs !== null && lagMs > STANDING_STILL_MS && phaseAt(now).phase === 'open';
