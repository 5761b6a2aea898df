import { meanLowerBound, type RankedResult } from './meanBound.ts';
import { compareNames } from '../../../lib/unicode.ts';
import type { LeaderboardEntry, LeaderboardMetrics } from './types.ts';
import { MIN_RANKED_RESULTS } from './verifiedRule.ts';

/** Two-sided 95 % quantile of the normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * Lower end of the Wilson score interval (E. B. Wilson, 1927) at 95 %: what share of wins is supported by this few
 * trials. Three of three is worth less than forty of fifty.
 *
 * @param wins how many of the trials won, 0…trials
 * @param trials how many there were
 * @returns a share between 0 and 1; 0 without trials or wins
 */
export function wilsonLowerBound(wins: number, trials: number): number {
  if (trials <= 0 || wins <= 0) return 0;
  const share = wins / trials;
  const centre = share + (Z_95 * Z_95) / (2 * trials);
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / trials + (Z_95 * Z_95) / (4 * trials * trials));
  return Math.max(0, (centre - spread) / (1 + (Z_95 * Z_95) / trials));
}

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
  /** The verified results, those of open calls at the last price. */
  results: readonly RankedResult[];
};

const cents = (value: number): number => Math.round(value * 100) / 100 + 0;

const isWin = ({ percent }: RankedResult): boolean => percent > 0;

function resultMetrics(results: readonly RankedResult[]) {
  const verified = results.length;
  const wins = results.filter(isWin).length;
  if (verified === 0) {
    const none = { winRate: null, winRateLowerBound: null, averageVerified: null, meanLowerBound: null };
    return { verified, wins, ...none };
  }
  return {
    verified,
    wins,
    winRate: (wins / verified) * 100,
    winRateLowerBound: wilsonLowerBound(wins, verified) * 100,
    averageVerified: results.reduce((sum, { percent }) => sum + percent, 0) / verified,
    meanLowerBound: meanLowerBound(results),
  };
}

const metricsOf = (tally: Tally): LeaderboardMetrics => ({
  total: tally.pending + tally.open + tally.closed + tally.cancelled,
  pending: tally.pending,
  open: tally.open,
  closed: tally.closed,
  cancelled: tally.cancelled,
  pocketedValue: cents(tally.pocketed),
  averagePocketed: tally.pocketedCount === 0 ? null : cents(tally.pocketed / tally.pocketedCount),
  ...resultMetrics(tally.results),
  rank: null,
});

/**
 * Puts submitters in order: first the ranked ones by the lower bound of their mean verified result, then those with as many
 * results as a rank takes and the others, each by their mean; names settle ties. What they say of themselves orders nobody.
 *
 * @returns entries, best first; equal bounds share a rank
 */
export function rankSubmitters(tallies: readonly Tally[]): LeaderboardEntry[] {
  const entries = tallies.map((tally) => ({
    submitter: { display: tally.display },
    metrics: metricsOf(tally),
  }));
  const ranked = entries.filter(canRank).sort((a, b) => boundGap(a, b) || byName(a, b));
  const others = entries.filter((entry) => !canRank(entry)).sort(byMean);
  ranked.forEach((entry, index) => {
    const before = ranked[index - 1];
    entry.metrics.rank =
      before !== undefined && boundGap(before, entry) === 0 ? before.metrics.rank : index + 1;
  });
  return [...ranked, ...others];
}

const hasEnough = ({ metrics }: LeaderboardEntry): boolean => metrics.verified >= MIN_RANKED_RESULTS;

const canRank = (entry: LeaderboardEntry): boolean =>
  hasEnough(entry) && (entry.metrics.meanLowerBound ?? 0) > 0;

const boundGap = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  (b.metrics.meanLowerBound ?? 0) - (a.metrics.meanLowerBound ?? 0);

const byName = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  compareNames(a.submitter.display, b.submitter.display);

// Without a result nothing is known: it stands below whatever was recorded.
const meanOf = ({ metrics }: LeaderboardEntry): number => metrics.averageVerified ?? -1000;

const byMean = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  Number(hasEnough(b)) - Number(hasEnough(a)) || meanOf(b) - meanOf(a) || byName(a, b);
