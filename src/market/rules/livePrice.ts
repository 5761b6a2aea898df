/**
 * The live price of a stock: last, else match price, else previous close (specification, section 3).
 * @returns AUD; null when none of them is known
 */
export const livePrice = (
  stock: { last: number | null; match_price: number | null; close: number | null } | undefined,
): number | null => stock?.last ?? stock?.match_price ?? stock?.close ?? null;
