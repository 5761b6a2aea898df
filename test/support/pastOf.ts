import type { PastBars } from '#market/bars/pastBars.ts';

/** Bars of a test for any stock: minutes by minute key, days by day number. */
export function pastOf({
  minutes = [],
  days = [],
}: {
  minutes?: ReturnType<PastBars['days']>;
  days?: ReturnType<PastBars['days']>;
} = {}): PastBars {
  return {
    hasMinutes: minutes.length > 0,
    days: () => days,
    since: () => 0,
    gaps: () => [],
    beganUnseen: () => false,
    minutesOn: () => null,
    *minutes() {
      yield;
      return minutes;
    },
  };
}
