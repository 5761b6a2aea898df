import type { LeaderboardEntry, LeaderboardMetrics } from './types.ts';
import { wilsonLowerBound } from './wilson.ts';

/** Fewer closed calls, or fewer verified results, than this say nothing about skill. */
export const MIN_RANKED_CALLS = 5;

/** What is counted for one submitter: what `counting.ts` lets count. */
export type Tally = {
  display: string;
  pending: number;
  open: number;
  closed: number;
  cancelled: number;
  /** Sum of the pocketed values, AUD, and how many calls gave one. */
  pocketed: number;
  pocketedCount: number;
  /** Calls with a verified result, those above 0 %, and the sum of their percents. */
  verified: number;
  wins: number;
  verifiedSum: number;
};

/** A tally with one more verified result. @param percent the result */
export const withResult = (tally: Tally, percent: number): Tally => ({
  ...tally,
  verified: tally.verified + 1,
  wins: tally.wins + (percent > 0 ? 1 : 0),
  verifiedSum: tally.verifiedSum + percent,
});

const cents = (value: number): number => Math.round(value * 100) / 100 + 0;

const metricsOf = (tally: Tally): LeaderboardMetrics => ({
  total: tally.pending + tally.open + tally.closed + tally.cancelled,
  pending: tally.pending,
  open: tally.open,
  closed: tally.closed,
  cancelled: tally.cancelled,
  pocketedValue: cents(tally.pocketed),
  averagePocketed: tally.pocketedCount === 0 ? null : cents(tally.pocketed / tally.pocketedCount),
  verified: tally.verified,
  wins: tally.wins,
  winRate: tally.verified === 0 ? null : (tally.wins / tally.verified) * 100,
  winRateLowerBound: tally.verified === 0 ? null : wilsonLowerBound(tally.wins, tally.verified) * 100,
  averageVerified: tally.verified === 0 ? null : tally.verifiedSum / tally.verified,
  rank: null,
});

/**
 * Puts submitters in order: the ranked ones by the lower bound of their verified win rate (then by mean verified
 * result), then the others by what they pocketed; names settle ties.
 *
 * @returns entries, best first; equal bounds with equal mean share a rank
 */
export function rankSubmitters(tallies: readonly Tally[]): LeaderboardEntry[] {
  const entries = tallies.map((tally) => ({
    submitter: { display: tally.display },
    metrics: metricsOf(tally),
  }));
  const ranked = entries.filter((entry) => canRank(entry)).sort(bySkill);
  const others = entries.filter((entry) => !canRank(entry)).sort(byPocketed);
  ranked.forEach((entry, index) => {
    const before = ranked[index - 1];
    entry.metrics.rank =
      before !== undefined && skillGap(before, entry) === 0 ? before.metrics.rank : index + 1;
  });
  return [...ranked, ...others];
}

const canRank = ({ metrics }: LeaderboardEntry): boolean =>
  metrics.closed >= MIN_RANKED_CALLS && metrics.verified >= MIN_RANKED_CALLS;

const skillGap = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  (b.metrics.winRateLowerBound ?? 0) - (a.metrics.winRateLowerBound ?? 0) ||
  (b.metrics.averageVerified ?? 0) - (a.metrics.averageVerified ?? 0);

const byName = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  a.submitter.display.localeCompare(b.submitter.display, 'en-AU');

const bySkill = (a: LeaderboardEntry, b: LeaderboardEntry): number => skillGap(a, b) || byName(a, b);

const byPocketed = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  b.metrics.pocketedValue - a.metrics.pocketedValue || byName(a, b);
