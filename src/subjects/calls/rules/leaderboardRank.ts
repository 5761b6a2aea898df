import { DAY_MS } from '#lib/units.ts';
import { type DailySample, MIN_RANK_DAYS, type RankBounds, rankBounds } from './rankBounds.ts';
import { compareNames } from '#lib/unicode.ts';
import { againstMarket, type Side } from './side.ts';
import type { LeaderboardEntry, LeaderboardMetrics } from './types.ts';

/** Times are epoch ms by the wall clock. */
export type RankedResult = Side & {
  percent: number;
  /** The market's own move over the same time, percent; null if unknown. */
  market: number | null;
  symbol: string;
  from: number;
  until: number | null;
};

/** Results by day. Settled ones are summed, because only a running one's price changes. */
export type ResultDays = {
  settled: { count: number; wins: number; sum: number; known: number };
  /** Sum of the settled results per day against the market, percent. */
  sums: readonly number[];
  /** The index in `sums` for each running result. */
  dayOfRunning: readonly number[];
};

/** Sydney's offset without summer time, ms. An hour more does not matter: nothing trades around midnight. */
const SYDNEY_OFFSET_MS = 10 * 3_600_000;

const dateOf = (time: number): number => Math.floor((time + SYDNEY_OFFSET_MS) / DAY_MS);

const isWin = ({ percent }: RankedResult): boolean => percent > 0;

const isMarketKnown = ({ market }: RankedResult): boolean => market !== null;

/** The result against the market's own move, if known. */
const measured = (result: RankedResult): number => againstMarket(result, result.percent, result.market ?? 0);

/**
 * Groups results that are not independent, because one move of the market causes them: those entered on one Sydney
 * day, and overlapping ones on one stock.
 */
export function groupByDay(
  settled: readonly RankedResult[],
  running: readonly RankedResult[] = [],
): ResultDays {
  const dayOf = new Map<number, number>();
  const newest = new Map<string, { day: number; until: number }>();
  const sums: number[] = [];
  const dayOfRunning = new Array<number>(running.length).fill(0);
  const all = [
    ...settled.map((result) => ({ result, place: -1 })),
    ...running.map((result, place) => ({ result, place })),
  ];
  for (const { result, place } of all.sort((a, b) => a.result.from - b.result.from)) {
    const { symbol, from, until } = result;
    const before = newest.get(symbol);
    const date = dateOf(from);
    const day = before && from < before.until ? before.day : (dayOf.get(date) ?? sums.length);
    if (day === sums.length) {
      dayOf.set(date, day);
      sums.push(0);
    }
    const ends = until ?? Number.POSITIVE_INFINITY;
    newest.set(symbol, { day, until: Math.max(ends, before?.until ?? ends) });
    if (place >= 0) {
      dayOfRunning[place] = day;
      continue;
    }
    sums[day] = (sums[day] ?? 0) + measured(result);
  }
  const sum = settled.reduce((total, { percent }) => total + percent, 0);
  const wins = settled.filter(isWin).length;
  const known = settled.filter(isMarketKnown).length;
  return { settled: { count: settled.length, wins, sum, known }, sums, dayOfRunning };
}

/** @param sums of each day @param count of all results */
function sampleOf(sums: readonly number[], count: number): DailySample {
  const days = sums.length;
  if (days === 0) return { days, mean: 0, variance: 0 };
  const usual = count / days;
  const mean = sums.reduce((total, sum) => total + sum, 0) / count;
  const squares = sums.reduce((total, sum) => total + (sum / usual - mean) ** 2, 0);
  return { days, mean, variance: days === 1 ? 0 : squares / (days - 1) };
}

/** Totals of a submitter; `average` is the mean result in percent, `known` counts known moves of the market. */
type ResultSums = {
  verified: number;
  wins: number;
  known: number;
  average: number | null;
  sample: DailySample;
};

/** Adds running results to settled ones. @param running in the order of the grouping */
export function sumUp(grouped: ResultDays, running: readonly RankedResult[] = []): ResultSums {
  const { settled, dayOfRunning } = grouped;
  const sums = [...grouped.sums];
  let { count: verified, wins, sum, known } = settled;
  for (const [place, result] of running.entries()) {
    const day = dayOfRunning[place] ?? 0;
    sums[day] = (sums[day] ?? 0) + measured(result);
    verified += 1;
    sum += result.percent;
    if (isWin(result)) wins += 1;
    if (isMarketKnown(result)) known += 1;
  }
  const average = verified === 0 ? null : sum / verified;
  return { verified, wins, known, average, sample: sampleOf(sums, verified) };
}

/** Two-sided 95 % quantile of the normal distribution. */
const Z_95 = 1.959963984540054;

/**
 * Lower end of the Wilson score interval (E. B. Wilson, 1927) at 95 %: three wins of three are worth less than forty
 * of fifty.
 * @param wins 0…trials
 * @returns a share from 0 to 1; 0 without trials or wins
 */
export function wilsonLowerBound(wins: number, trials: number): number {
  if (trials <= 0 || wins <= 0) return 0;
  const share = wins / trials;
  const centre = share + (Z_95 * Z_95) / (2 * trials);
  const spread = Z_95 * Math.sqrt((share * (1 - share)) / trials + (Z_95 * Z_95) / (4 * trials * trials));
  return Math.max(0, (centre - spread) / (1 + (Z_95 * Z_95) / trials));
}

/** What counts for one submitter, as `countingOf` decides. */
export type Tally = {
  display: string;
  pending: number;
  open: number;
  closed: number;
  cancelled: number;
  /** Sum of the pocketed values, AUD, and the number of calls with one. */
  pocketed: number;
  pocketedCount: number;
  days: ResultDays;
  running: readonly RankedResult[];
};

const cents = (value: number): number => Math.round(value * 100) / 100 + 0;

function resultMetrics(
  { verified, wins, known, average, sample }: ResultSums,
  bounds: RankBounds | undefined,
) {
  const hasAny = verified > 0;
  return {
    verified,
    wins,
    winRate: hasAny ? (wins / verified) * 100 : null,
    winRateLowerBound: hasAny ? wilsonLowerBound(wins, verified) * 100 : null,
    averageVerified: average,
    days: sample.days,
    averageAgainstMarket: hasAny ? sample.mean : null,
    marketKnown: known,
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

const sortByBound = (entries: readonly LeaderboardEntry[], bound: Bound): LeaderboardEntry[] =>
  entries
    .filter(({ metrics }) => (metrics[bound] ?? 0) > 0)
    .sort((a, b) => (b.metrics[bound] ?? 0) - (a.metrics[bound] ?? 0) || byName(a, b));

/** Ranks the entries whose bound is above zero; equal bounds share a rank. @param before how many entries rank above */
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
 * Sorts submitters: ranked, provisionally ranked, with enough days for a rank, others. The last two groups are sorted
 * by mean against the market, ties by name. Claimed values do not count.
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

const meanOf = ({ metrics }: LeaderboardEntry): number =>
  metrics.averageAgainstMarket ?? Number.NEGATIVE_INFINITY;

const byMean = (a: LeaderboardEntry, b: LeaderboardEntry): number => {
  const [mine, other] = [meanOf(a), meanOf(b)];
  return Number(hasEnough(b)) - Number(hasEnough(a)) || (mine === other ? byName(a, b) : other - mine);
};
