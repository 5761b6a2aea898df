import { MINUTE_MS } from '#lib/units.ts';
import { phaseAt, type PhaseSpan } from './sessionClock.ts';

export type FeedDelay = { label: string; minutes: number };

/** A live feed may lag this much: poll interval, bar length and clock differences. */
const MAX_LIVE_LAG_MS = 3 * MINUTE_MS;
/** A measured lag this close to the declared delay is the declared delay. */
const AGREEMENT_MS = 4 * MINUTE_MS;
/** Beyond this the feed has stopped: its age is shown instead of a delay. */
const MAX_DELAY_MS = 60 * MINUTE_MS;
/** Well above the public delay: an older newest quote means that the feed has stopped. */
const STANDING_STILL_MS = 35 * MINUTE_MS;
/** The exchange's free data. */
export const PUBLIC_DELAY_MINUTES = 20;
/** By this time of the session even delayed data contains trades of it. */
const SETTLED_MS = 35 * MINUTE_MS;

type OpenSpan = Pick<PhaseSpan, 'phase' | 'since'>;

/**
 * The lag of a feed's newest trade during continuous trading; at other times it is old without being late.
 * @param newest epoch ms
 * @param span the exchange's current phase
 * @param now epoch ms
 * @returns ms, at least 0; null if unknown
 */
export function tradeLag(newest: number, { phase, since }: OpenSpan, now: number): number | null {
  if (phase !== 'open') return null;
  return newest >= since || now - since > SETTLED_MS ? Math.max(0, now - newest) : null;
}

/**
 * A feed's lag by its own quote times: a fresh quote counts at any hour, an old one only in continuous
 * trading.
 * @param newest epoch ms; null if no quote states a time
 * @returns ms, at least 0; null if unknown
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
 * The delay to show. A measured lag has precedence over the declared one, and a declared live feed is not
 * trusted without a measurement.
 * @param known.lagMs the last measured lag; null if there is none
 * @param known.declaredMinutes 0 if it claims to be live
 * @param known.unmeasuredMinutes used for an unmeasured live claim
 */
export function feedDelay(known: {
  lagMs: number | null;
  declaredMinutes: number;
  unmeasuredMinutes: number;
}): FeedDelay {
  const { lagMs, declaredMinutes, unmeasuredMinutes } = known;
  if (lagMs === null) {
    if (declaredMinutes > 0) return delayed(declaredMinutes);
    return { label: 'Delay not measured', minutes: unmeasuredMinutes };
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

/** Whether a feed lags far more than any usual delay while the exchange trades. @param now epoch ms */
export const isUnchanged = (lagMs: number | null, now: number): boolean =>
  lagMs !== null && lagMs > STANDING_STILL_MS && phaseAt(now).phase === 'open';
