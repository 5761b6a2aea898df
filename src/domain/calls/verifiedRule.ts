/** How results are verified, as the Calls page says it in two sentences. */
export const VERIFIED_RULE =
  'A verified result runs from the first trade after a call was posted, or from its entry price if that is dearer, to the first trade after it was ended, or to the last price before if that is cheaper. ' +
  'From that first trade on every filled call counts, whether it is closed, cancelled or, at the last price, still open; in review only a loss does.';
