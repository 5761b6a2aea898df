import type { PastBars } from '#market/bars/pastBars.ts';

/** Bars that a test gives, of any stock: minutes by their minute key, days by their day number. */
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
