/** A verified result as the ranks count it; times are epoch ms by the wall clock. */
export type RankedResult = {
  /** At least −100. */
  percent: number;
  /** The market's own move over the same time, percent; null if it is unknown. */
  market: number | null;
  symbol: string;
  /** When its entry was traded. */
  from: number;
  /** When it ended; null while it runs. */
  until: number | null;
};

/**
 * Daily results of one submitter against the market: how many, their mean and their sample variance, percent. A daily
 * result is the sum of a day's results over the submitter's usual number of calls a day. So the mean is that of all results.
 * If each day's mean were used, calls added to a losing day would dilute its loss.
 */
export type DailySample = { days: number; mean: number; variance: number };

/** Results grouped into days. Settled ones are summed up, because only the price of a running one changes. */
export type ResultDays = {
  settled: { count: number; wins: number; sum: number };
  /** For each day the sum of its settled results against the market, percent. */
  sums: readonly number[];
  /** The day of each running result: an index of `sums`. */
  dayOfRunning: readonly number[];
};

const DAY_MS = 86_400_000;
/** The exchange never trades around midnight of this offset, summer time or not, ms. */
const SYDNEY_OFFSET_MS = 10 * 3_600_000;

const dateOf = (time: number): number => Math.floor((time + SYDNEY_OFFSET_MS) / DAY_MS);

const isWin = ({ percent }: RankedResult): boolean => percent > 0;

/** A result less the market's own move. If that is unknown, the result counts as it is. */
const againstMarket = ({ percent, market }: RankedResult): number => percent - (market ?? 0);

/**
 * Groups results that are not separate evidence, because one move of the market makes them all: those entered on the same
 * day in Sydney, and those on one stock that ran at the same time.
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
    sums[day] = (sums[day] ?? 0) + againstMarket(result);
  }
  const sum = settled.reduce((total, { percent }) => total + percent, 0);
  return { settled: { count: settled.length, wins: settled.filter(isWin).length, sum }, sums, dayOfRunning };
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

/** What a submitter's results come to; `average` is the mean of all results, percent, null without any. */
export type ResultSums = { verified: number; wins: number; average: number | null; sample: DailySample };

/** @param running in the order in which they were grouped */
export function sumUp(grouped: ResultDays, running: readonly RankedResult[] = []): ResultSums {
  const { settled, dayOfRunning } = grouped;
  const sums = [...grouped.sums];
  let { count: verified, wins, sum } = settled;
  for (const [place, result] of running.entries()) {
    const day = dayOfRunning[place] ?? 0;
    sums[day] = (sums[day] ?? 0) + againstMarket(result);
    verified += 1;
    sum += result.percent;
    if (isWin(result)) wins += 1;
  }
  const average = verified === 0 ? null : sum / verified;
  return { verified, wins, average, sample: sampleOf(sums, verified) };
}
