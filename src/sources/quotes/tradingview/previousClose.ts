/** Prices exist down to half a tenth of a cent (a Centre Point trade between two 0.001 steps). */
const roundPrice = (price: number): number => Math.round(price * 10_000) / 10_000;

/**
 * The previous close that a last price and its two changes imply: last − change, checked against
 * last ÷ (1 + percent ÷ 100).
 * @param last AUD
 * @param changeAbs AUD, null when unknown
 * @param changePercent percent, null when unknown
 * @returns AUD rounded to 4 decimals; null when neither change is known, when they contradict each other, or when
 *   the result is no price
 */
export function previousCloseOf(
  last: number,
  changeAbs: number | null,
  changePercent: number | null,
): number | null {
  const byAmount = changeAbs === null ? null : last - changeAbs;
  const byPercent = changePercent === null || changePercent <= -100 ? null : last / (1 + changePercent / 100);
  if (byAmount !== null && byPercent !== null) {
    // A tenth of the smallest price step, or a thousandth of the price where percents are coarse.
    const tolerance = Math.max(0.0001, Math.abs(byAmount) * 0.001);
    if (Math.abs(byAmount - byPercent) > tolerance) return null;
  }
  const close = byAmount ?? byPercent;
  if (close === null || !Number.isFinite(close)) return null;
  const rounded = roundPrice(close);
  return rounded > 0 ? rounded : null;
}
