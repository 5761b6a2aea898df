import { compareNames } from '#lib/text.ts';
import { type RankedResult, type ResultDays, type ResultSums, sumUp } from './dailyResults.ts';
import { MIN_RANK_DAYS, type RankBounds, rankBounds } from './rankBounds.ts';
import type { LeaderboardEntry, LeaderboardMetrics } from './types.ts';

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
  /** The verified results, with the places of the running ones. */
  days: ResultDays;
  /** Those of open calls, at the last price. */
  running: readonly RankedResult[];
};

const cents = (value: number): number => Math.round(value * 100) / 100 + 0;

function resultMetrics({ verified, wins, average, sample }: ResultSums, bounds: RankBounds | undefined) {
  const hasAny = verified > 0;
  return {
    verified,
    wins,
    winRate: hasAny ? (wins / verified) * 100 : null,
    winRateLowerBound: hasAny ? wilsonLowerBound(wins, verified) * 100 : null,
    averageVerified: average,
    days: sample.days,
    averageAgainstMarket: hasAny ? sample.mean : null,
    meanLowerBound: bounds?.full ?? null,
    provisionalLowerBound: bounds?.provisional ?? null,
  };
}

const metricsOf = (tally: Tally, sums: ResultSums, bounds: RankBounds | undefined): LeaderboardMetrics => ({
  total: tally.pending + tally.open + tally.closed + tally.cancelled,
  pending: tally.pending,
  open: tally.open,
  closed: tally.closed,
  cancelled: tally.cancelled,
  pocketedValue: cents(tally.pocketed),
  averagePocketed: tally.pocketedCount === 0 ? null : cents(tally.pocketed / tally.pocketedCount),
  ...resultMetrics(sums, bounds),
  rank: null,
  provisionalRank: null,
});

type Bound = 'meanLowerBound' | 'provisionalLowerBound';

/** Those whose bound is above zero, best first. */
const sortByBound = (entries: readonly LeaderboardEntry[], bound: Bound): LeaderboardEntry[] =>
  entries
    .filter(({ metrics }) => (metrics[bound] ?? 0) > 0)
    .sort((a, b) => (b.metrics[bound] ?? 0) - (a.metrics[bound] ?? 0) || byName(a, b));

/** Numbers entries; equal bounds share a rank. @param before the number of entries above these */
function setRanks(
  entries: readonly LeaderboardEntry[],
  { bound, rank, before }: { bound: Bound; rank: 'rank' | 'provisionalRank'; before: number },
): void {
  entries.forEach(({ metrics }, index) => {
    const above = entries[index - 1]?.metrics;
    metrics[rank] = above && above[bound] === metrics[bound] ? above[rank] : before + index + 1;
  });
}

/**
 * Puts submitters in order: those with a rank, those with a provisional rank, those with enough days for a rank, the
 * others; the last two by their mean against the market. Names settle ties. Claimed values do not count.
 *
 * @returns entries, best first
 */
export function rankSubmitters(tallies: readonly Tally[]): LeaderboardEntry[] {
  const sums = tallies.map(({ days, running }) => sumUp(days, running));
  const bounds = rankBounds(sums.map(({ sample }) => sample));
  const entries = tallies.map((tally, index): LeaderboardEntry => {
    const own = sums[index] ?? sumUp(tally.days, tally.running);
    return { submitter: { display: tally.display }, metrics: metricsOf(tally, own, bounds[index]) };
  });
  const ranked = sortByBound(entries, 'meanLowerBound');
  const isUnranked = new Set(entries).difference(new Set(ranked));
  const provisional = sortByBound([...isUnranked], 'provisionalLowerBound');
  const others = [...isUnranked.difference(new Set(provisional))].sort(byMean);
  setRanks(ranked, { bound: 'meanLowerBound', rank: 'rank', before: 0 });
  setRanks(provisional, {
    bound: 'provisionalLowerBound',
    rank: 'provisionalRank',
    before: ranked.length,
  });
  return [...ranked, ...provisional, ...others];
}

const byName = (a: LeaderboardEntry, b: LeaderboardEntry): number =>
  compareNames(a.submitter.display, b.submitter.display);

const hasEnough = ({ metrics }: LeaderboardEntry): boolean => metrics.days >= MIN_RANK_DAYS;

/** Entries without a result sort last. */
const meanOf = ({ metrics }: LeaderboardEntry): number =>
  metrics.averageAgainstMarket ?? Number.NEGATIVE_INFINITY;

const byMean = (a: LeaderboardEntry, b: LeaderboardEntry): number => {
  const [mine, other] = [meanOf(a), meanOf(b)];
  return Number(hasEnough(b)) - Number(hasEnough(a)) || (mine === other ? byName(a, b) : other - mine);
};
