import type { Stock } from './stock.ts';

/** The highest and the lowest price of the daily bars that are kept of a stock, without the running session; AUD. */
export type PriceRange = { high: number; low: number };
/** By code. */
export type PriceRanges = ReadonlyMap<string, PriceRange>;

/** A stock is unusually busy from this relative volume on. */
export const UNUSUAL_VOLUME = 3;

/** The sides of a market that are counted, and that a scanner can be narrowed to. */
export const BREADTHS = ['advancers', 'decliners', 'newHighs', 'newLows', 'unusualVolume'] as const;
export type Breadth = (typeof BREADTHS)[number];

type Figures = Pick<
  Stock,
  'code' | 'last' | 'close' | 'high' | 'low' | 'volume' | 'relativeVolume' | 'yearRange'
>;

/** Whether a stock has traded in the running session; a source that states no volume gives no last price before. */
export const hasTraded = ({ last, volume }: Pick<Stock, 'last' | 'volume'>): boolean =>
  last !== null && volume !== 0;

/** Whether a range is known that today's prices can leave. */
export const hasRange = ({ code, yearRange }: Figures, kept: PriceRanges | null): boolean =>
  yearRange?.high != null || yearRange?.low != null || (kept?.has(code) ?? false);

/**
 * Today's high is at or above the highest price of 52 weeks that the source states: some sources count today in it already.
 * Where it states none, it is above that of the kept daily bars, which end before today.
 */
function isNewHigh(stock: Figures, kept: PriceRanges | null): boolean {
  const { code, high, yearRange } = stock;
  if (high === null || !hasTraded(stock)) return false;
  if (yearRange?.high != null) return high >= yearRange.high;
  const range = kept?.get(code);
  return range !== undefined && high > range.high;
}

/** The same for the low. */
function isNewLow(stock: Figures, kept: PriceRanges | null): boolean {
  const { code, low, yearRange } = stock;
  if (low === null || !hasTraded(stock)) return false;
  if (yearRange?.low != null) return low <= yearRange.low;
  const range = kept?.get(code);
  return range !== undefined && low < range.low;
}

/**
 * Whether a stock is on a side of the market. Advancers and decliners: among those that traded today, the last price above
 * or below the previous close. Unusual volume: the relative volume is 3 or more.
 * @param kept the ranges of the kept daily bars, for stocks whose source states none; null while they are not known
 */
export function isOnSide(breadth: Breadth, stock: Figures, kept: PriceRanges | null): boolean {
  const { last, close, relativeVolume } = stock;
  switch (breadth) {
    case 'advancers':
      return hasTraded(stock) && last !== null && close !== null && last > close;
    case 'decliners':
      return hasTraded(stock) && last !== null && close !== null && last < close;
    case 'newHighs':
      return isNewHigh(stock, kept);
    case 'newLows':
      return isNewLow(stock, kept);
    case 'unusualVolume':
      return hasTraded(stock) && relativeVolume !== null && relativeVolume >= UNUSUAL_VOLUME;
  }
}
