/**
 * How many shares of one usually become how many: the ratios of splits, bonus issues and consolidations on the exchange.
 * A consolidation is the inverse of one of them.
 */
const USUAL_RATIOS = [5 / 4, 4 / 3, 3 / 2, 2, 5 / 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 100];

/** How far the close that the exchange adjusted may lie from the last trade seen, as a fraction. */
const TOLERANCE = 0.02;
/** AUD: adjusted closes are given with three decimals, which says little of a price of half a cent. */
const ROUNDING = 0.0006;
/** AUD: two of the smallest price steps. A share of half a cent moves by a fifth with each of them. */
const LEAST_CHANGE = 0.0021;

/**
 * Whether a previous close is the last trade of the day before, adjusted by a usual ratio: a split or a consolidation,
 * after which old prices and new ones can't be compared. A mere distance proves nothing: shares do fall by a half.
 *
 * @param lastTrade AUD, the last trade that was seen on an earlier day
 * @param close AUD, the previous close as the source gives it today
 */
export function isSplit(lastTrade: number, close: number): boolean {
  if (lastTrade <= 0 || close <= 0 || Math.abs(close - lastTrade) < LEAST_CHANGE) return false;
  return USUAL_RATIOS.some((ratio) =>
    [lastTrade / ratio, lastTrade * ratio].some(
      (adjusted) => Math.abs(close - adjusted) <= Math.max(adjusted * TOLERANCE, ROUNDING),
    ),
  );
}
