import { PUBLIC_DELAY_MINUTES } from '#market/rules/quoteLag.ts';

const MINUTE_MS = 60_000;
/** A shorter delay must be seen for so long to count: a single fresh quote proves nothing. */
const PROOF_MS = 10 * MINUTE_MS;
/** Beyond the usual delay a feed is too late by more than this. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** The delay that a feed usually has, learnt again each day, as a feed's own claim follows whatever is measured. */
export type UsualDelay = {
  /** @param lagMs as measured; null when it can't be. @returns whether the feed is far later than usual */
  isLate(date: string, lagMs: number | null, elapsedMs: number): boolean;
};

/** The public delay counts until the feed has proved for ten minutes that it has a shorter one. */
export function createUsualDelay(): UsualDelay {
  const most = PUBLIC_DELAY_MINUTES * MINUTE_MS;
  let day = '';
  let usual = most;
  /** A shorter delay that is being proved: the longest lag of it, and for how long it has been seen. */
  let better: { lagMs: number; ms: number } | null = null;
  return {
    isLate(date, lagMs, elapsedMs) {
      if (date !== day) {
        day = date;
        usual = most;
        better = null;
      }
      if (lagMs === null) return false;
      if (lagMs >= usual - TOLERANCE_MS) better = null;
      else {
        better = {
          lagMs: Math.max(better?.lagMs ?? 0, lagMs),
          ms: better === null ? 0 : better.ms + elapsedMs,
        };
        if (better.ms >= PROOF_MS) {
          usual = better.lagMs;
          better = null;
        }
      }
      return lagMs > usual + TOLERANCE_MS;
    },
  };
}
