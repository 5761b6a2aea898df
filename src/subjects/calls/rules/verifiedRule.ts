/** How results are verified, as the Calls page says it in a few sentences. */
export const VERIFIED_RULE =
  'A verified result runs from the first trade after a call was posted, or from its entry price if that is higher, to the first trade after it ended, or to the last price before if that is lower. ' +
  'From that first trade on, every filled call counts: closed, cancelled or, at the last price, still open. In review only a loss counts. ' +
  'Once the stop is reached the result ends there, whatever the owner does later. ' +
  'A call waiting for its fill is filled by the first trade below its entry price, not by one at it.';

/** Fewer verified results than this have no rank. */
export const MIN_RANKED_RESULTS = 20;

/** How the ranks come about, as the Calls page says it. */
export const RANK_RULE =
  `A rank needs ${MIN_RANKED_RESULTS} verified results and a low estimate of their mean above zero, and goes by that estimate: the mean is at least that, with 99.9 % confidence, however rare the large losses are. ` +
  'For it, calls of one day count as one result, their mean, and so do calls on one stock that ran at the same time. The win rate is not used for the rank. Without a rank, it may all be luck.';
