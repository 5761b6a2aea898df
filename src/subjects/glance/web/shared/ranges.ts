import type { Known } from '#lib/contract/fields.ts';
import type { PriceRange, PriceRanges } from '#market/rules/breadth.ts';
import { readerOf, request } from '#web/api/client.ts';
import { marketEra } from '#web/live/marketEra.ts';
import { priceRangesAnswer } from '#subjects/glance/answers/glance.ts';

export type RangesAnswer = NonNullable<Known<typeof priceRangesAnswer>>;

let known: { era: string | null; answer: Promise<RangesAnswer> } | null = null;

/**
 * The ranges of the kept daily bars: asked for once as long as the market's era lasts.
 * @throws ApiError with the server's sentence; the next call then asks again
 */
export function fetchRanges(): Promise<RangesAnswer> {
  const era = marketEra.peek();
  if (known?.era === era) return known.answer;
  const answer = request('GET /api/data/price-ranges', { read: readerOf(priceRangesAnswer) });
  const own = { era, answer };
  known = own;
  answer.catch(() => {
    if (known === own) known = null;
  });
  return answer;
}

/** They as [code, high, low]. */
export const rangeRows = ({ codes, highs, lows }: RangesAnswer): [string, number, number][] =>
  codes.flatMap((code, place) => {
    const high = highs[place];
    const low = lows[place];
    return high === undefined || low === undefined ? [] : [[code, high, low]];
  });

/** They by code, for a scanner's filter. @throws as `fetchRanges` */
export async function loadRanges(): Promise<PriceRanges> {
  const rows = rangeRows(await fetchRanges());
  return new Map(rows.map(([code, high, low]): [string, PriceRange] => [code, { high, low }]));
}
