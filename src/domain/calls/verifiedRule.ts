/** How results are verified, as the Calls page says it in two sentences. */
export const VERIFIED_RULE =
  'What counts is the first trade printed after a call is posted and after it is ended, and never a better price than was known then: the dearer of the claim and that trade, the cheaper of the last price and that trade. ' +
  'Once a trade was printed a filled call has a result, cancelled or not, and while it is open it counts in the ranks at the last price.';
