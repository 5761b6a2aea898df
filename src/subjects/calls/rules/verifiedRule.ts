import { MIN_PROVISIONAL_DAYS, MIN_RANK_DAYS } from './rankBounds.ts';

/** How results are verified, as the Calls page says it in a few sentences. */
export const VERIFIED_RULE =
  'A verified result runs from the first trade after a call was posted, or from its entry price if that is higher, to the first trade after it ended, or to the last price before if that is lower. ' +
  'From that first trade on, every filled call counts: closed, cancelled or, at the last price, still open. In review only a loss counts. ' +
  'Once the stop is reached the result ends there, whatever the owner does later. ' +
  'A call waiting for its fill is filled by the first trade below its entry price, not by one at it.';

/** How the ranks come about, as the Calls page says it. */
export const RANK_RULE =
  `A rank needs ${MIN_RANK_DAYS} days with results, a provisional rank ${MIN_PROVISIONAL_DAYS}. ` +
  'All calls entered on one day are one sample, and so are calls on one stock that ran at the same time. ' +
  'The market’s own move over the same time is taken off each result, if it is known. ' +
  'Ranks go by the lower bound of the average: luck hardly explains an average above it (97.5 % confidence, 90 % for a provisional rank). ' +
  'It must be above zero. Win rates and pocketed values do not count.';
