/** How results are verified, as the Calls page says it in a few sentences. */
export const VERIFIED_RULE =
  'A verified result runs from the first trade after a call was posted, or from its entry price if that is dearer, to the first trade after it was ended, or to the last price before if that is cheaper. ' +
  'From that first trade on every filled call counts, whether it is closed, cancelled or, at the last price, still open; in review only a loss does. ' +
  'A reached stop ends the result there, whatever its owner does later. ' +
  'A call that waits for its fill is filled by the first trade below its entry price, not by one at it.';

/** Fewer verified results than this have no rank. */
export const MIN_RANKED_RESULTS = 20;

/** How the ranks come about, as the Calls page says it. */
export const RANK_RULE =
  `A rank takes ${MIN_RANKED_RESULTS} verified results and a low estimate of their mean above zero, and follows that estimate: what the mean is at least, at 99.9 %, however rare its large losses are. ` +
  'Calls of one day count as one result there, their mean, and so do calls on one stock that ran at the same time. The win rate ranks nobody. Without a rank, luck may explain it all.';
