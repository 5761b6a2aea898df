/** A verified result as the rank counts it; times are epoch ms by the wall clock. */
export type RankedResult = {
  /** At least −100. */
  percent: number;
  symbol: string;
  /** When its entry was traded. */
  from: number;
  /** When it ended; null while it runs. */
  until: number | null;
};

/** One account of a thousand gets above it by chance, whatever it does. */
const LEVEL = 0.001;
/** Shares of the capital that are bet on each round; the capital is their mean. */
const STAKES = [0.5, 1, 2] as const;
const DAY_MS = 86_400_000;
/** The exchange never trades around midnight of this offset, summer time or not, ms. */
const SYDNEY_OFFSET_MS = 10 * 3_600_000;
/** Halvings: they find the bound to less than a thousandth of a percent. */
const MAX_HALVINGS = 18;

const dayOf = (time: number): number => Math.floor((time + SYDNEY_OFFSET_MS) / DAY_MS);

/**
 * Puts results together that are no separate evidence, as one move of the market makes them all: those entered on the same
 * day in Sydney, and those on one stock that ran at the same time.
 *
 * @returns the mean of each round, as a fraction; in no order that means anything
 */
export function roundsOf(results: readonly RankedResult[]): number[] {
  const rounds = new Map<number, { sum: number; count: number }>();
  const running = new Map<string, { round: number; until: number }>();
  for (const { percent, symbol, from, until } of results.toSorted((a, b) => a.from - b.from)) {
    const before = running.get(symbol);
    const round = before && from < before.until ? before.round : dayOf(from);
    const ends = until ?? Number.POSITIVE_INFINITY;
    running.set(symbol, { round, until: Math.max(ends, before?.until ?? ends) });
    const { sum, count } = rounds.get(round) ?? { sum: 0, count: 0 };
    rounds.set(round, { sum: sum + percent, count: count + 1 });
  }
  return [...rounds.values()].map(({ sum, count }) => sum / count / 100);
}

/** What a stake becomes that is bet in every round on the mean being above `mean`; 0 once a round loses all of it. */
function capitalOf(rounds: readonly number[], mean: number, stake: number): number {
  let capital = 1;
  for (const result of rounds) {
    capital *= 1 + stake * ((1 + result) / (1 + mean) - 1);
    if (capital <= 0) return 0;
  }
  return capital;
}

const betAgainst = (rounds: readonly number[], mean: number): number =>
  STAKES.reduce((sum, stake) => sum + capitalOf(rounds, mean, stake), 0) / STAKES.length;

/**
 * What the mean of somebody's verified results is at least, at 99.9 %: every lower mean would be refuted, as money bet
 * against it, a fixed share of the capital in each round, would have become a thousandfold.
 *
 * The bound holds from the first result to the last one, whenever somebody stops (Ville's inequality), and asks of the
 * results only that none is below −100 %: many small gains do not hide a large loss that has not come yet, as the quantiles
 * of Student's t would let them. Method: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
 * betting", Journal of the Royal Statistical Society B 86 (2024), 1 to 27; section 4, with fixed stakes. The stake of 2
 * wants that a round loses no more than half; where one loses more it is gone for good, which costs an honest submitter
 * and gives a lucky one at most 3 % where all that was not seen are total losses.
 *
 * @param results open ones at the last price
 * @returns percent, at most the mean of the rounds; −100 where nothing can be said
 */
export function meanLowerBound(results: readonly RankedResult[]): number {
  const rounds = roundsOf(results);
  if (rounds.length === 0) return -100;
  let low = -1;
  let high = rounds.reduce((sum, result) => sum + result, 0) / rounds.length;
  for (let halving = 0; halving < MAX_HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (betAgainst(rounds, middle) >= 1 / LEVEL) low = middle;
    else high = middle;
  }
  return low * 100;
}
