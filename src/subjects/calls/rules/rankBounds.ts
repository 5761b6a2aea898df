/**
 * A submitter's daily results against the market: count, mean and sample variance, percent. A daily result is the day's
 * sum divided by the submitter's usual calls per day, so the mean equals that of all results. With plain daily means,
 * extra calls on a losing day would dilute its loss.
 */
export type DailySample = { days: number; mean: number; variance: number };

export const MIN_RANK_DAYS = 10;
const MIN_PROVISIONAL_DAYS = 5;

/** One-sided quantiles of the normal distribution: 97.5% and 90%. */
const Z_RANK = 1.959963984540054;
const Z_PROVISIONAL = 1.2815515655446004;

/** The weight of the board's usual variance, expressed in days of a submitter's own results. */
const PRIOR_DAYS = 10;
/** Percent squared. Small daily results may hide a rare large loss, so the standard deviation is at least 5%. */
const MIN_VARIANCE = 25;
/** Bisection steps, enough to find the prior's variance to a millionth. */
const HALVINGS = 60;

/** Lower bounds of a submitter's true mean result against the market, percent; null if there are too few days. */
export type RankBounds = {
  /** At 97.5% confidence. A rank requires it to be above zero. */
  full: number | null;
  /** At 90% confidence. A provisional rank requires it to be above zero. */
  provisional: number | null;
};

/** The usual variance. It is a median, so that neither lucky bets nor accounts made for the purpose shift it. */
function medianVariance(samples: readonly DailySample[]): number {
  const sorted = samples.map(({ variance }) => variance).sort((a, b) => a - b);
  return Math.max(MIN_VARIANCE, sorted[sorted.length >> 1] ?? MIN_VARIANCE);
}

/** The variance of a submitter's mean. The submitter's own variance is shrunk towards the usual one. */
function varianceOfMean({ days, variance }: DailySample, usual: number): number {
  const own = (PRIOR_DAYS * usual + (days - 1) * variance) / (PRIOR_DAYS + days - 1);
  return Math.max(MIN_VARIANCE, own) / days;
}

type Estimate = { mean: number; variance: number };

/**
 * How much true means differ on this board: the variance that makes Σ mean² ÷ (prior + variance) equal to the number
 * of submitters (method of moments; R. Paule and J. Mandel, 1982), for a prior with mean zero. Zero if chance
 * explains all.
 */
function priorVariance(estimates: readonly Estimate[]): number {
  const excess = (prior: number): number =>
    estimates.reduce((sum, { mean, variance }) => sum + mean ** 2 / (prior + variance), -estimates.length);
  if (estimates.length === 0 || excess(0) <= 0) return 0;
  let low = 0;
  let high = Math.max(...estimates.map(({ mean }) => mean ** 2));
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Lower bounds of all submitters' true means, by empirical Bayes. Each mean is shrunk towards zero: the more, the
 * weaker its evidence and the less this board differs beyond chance. So the luckiest of many accounts without skill
 * gets no rank.
 * @param samples daily results of each submitter, percent against the market
 */
export function rankBounds(samples: readonly DailySample[]): RankBounds[] {
  const ranked = samples.filter(({ days }) => days >= MIN_PROVISIONAL_DAYS);
  const usual = medianVariance(ranked);
  const prior = priorVariance(
    ranked.map((sample) => ({ mean: sample.mean, variance: varianceOfMean(sample, usual) })),
  );
  return samples.map((sample) => {
    if (sample.days < MIN_PROVISIONAL_DAYS) return { full: null, provisional: null };
    const variance = varianceOfMean(sample, usual);
    const kept = prior / (prior + variance);
    const bound = (z: number): number => kept * sample.mean - z * Math.sqrt(kept * variance);
    return {
      full: sample.days < MIN_RANK_DAYS ? null : bound(Z_RANK),
      provisional: bound(Z_PROVISIONAL),
    };
  });
}

export const VERIFIED_RULE =
  'A result is measured from recorded trades: from the first one after posting (or the entry price, if worse) to the first one after the end (or the last price before it, if worse). ' +
  'Every filled call counts, an open one at the last price. In review, only a loss counts. ' +
  'Reaching the stop ends a result. ' +
  'A waiting call is filled by the first trade that is better than its entry price.';

export const RANK_RULE =
  `Ranks go by the lower bound (97.5%, for a provisional rank 90%) of the average result against the market. A rank needs ${MIN_RANK_DAYS} days with results, a provisional rank ${MIN_PROVISIONAL_DAYS}, and a lower bound above zero. ` +
  'Calls entered on one day, or on one stock at the same time, count as one sample. ' +
  'Pocketed values do not count.';
