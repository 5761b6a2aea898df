import type { Stock } from './stock.ts';

export type PriceRange = { high: number; low: number };
export type PriceRanges = ReadonlyMap<string, PriceRange>;

export const UNUSUAL_VOLUME = 3;

export type Breadth =
  | 'advancers'
  | 'decliners'
  | 'gappingUp'
  | 'gappingDown'
  | 'newHighs'
  | 'newLows'
  | 'unusualVolume';

type Figures = Pick<
  Stock,
  | 'code'
  | 'last'
  | 'close'
  | 'indicativeChangePercent'
  | 'high'
  | 'low'
  | 'volume'
  | 'relativeVolume'
  | 'yearRange'
>;

/** Whether a stock traded today. A source without volumes states a last price only after a trade. */
export const hasTraded = ({ last, volume }: Pick<Stock, 'last' | 'volume'>): boolean =>
  last !== null && volume !== 0;

export const hasRange = ({ code, yearRange }: Figures, kept: PriceRanges | null): boolean =>
  yearRange?.high != null || yearRange?.low != null || (kept?.has(code) ?? false);

/**
 * Whether today's high is at or above the stated 52-week high, because some sources include today. Without a
 * stated one it must be above the stored daily bars, which end yesterday.
 */
function isNewHigh(stock: Figures, kept: PriceRanges | null): boolean {
  const { code, high, yearRange } = stock;
  if (high === null || !hasTraded(stock)) return false;
  if (yearRange?.high != null) return high >= yearRange.high;
  const range = kept?.get(code);
  return range !== undefined && high > range.high;
}

function isNewLow(stock: Figures, kept: PriceRanges | null): boolean {
  const { code, low, yearRange } = stock;
  if (low === null || !hasTraded(stock)) return false;
  if (yearRange?.low != null) return low <= yearRange.low;
  const range = kept?.get(code);
  return range !== undefined && low < range.low;
}

/**
 * Whether a stock counts for a side. Advancers and decliners: traded today, above or below the previous
 * close. Gapping: with a match price above or below it. Unusual volume: relative volume of 3 or more.
 * @param kept ranges of stored daily bars, for stocks without a stated range; null while unknown
 */
export function isOnSide(breadth: Breadth, stock: Figures, kept: PriceRanges | null): boolean {
  const { last, close, indicativeChangePercent: gap, relativeVolume } = stock;
  switch (breadth) {
    case 'advancers':
      return hasTraded(stock) && last !== null && close !== null && last > close;
    case 'decliners':
      return hasTraded(stock) && last !== null && close !== null && last < close;
    case 'gappingUp':
      return gap !== null && gap > 0;
    case 'gappingDown':
      return gap !== null && gap < 0;
    case 'newHighs':
      return isNewHigh(stock, kept);
    case 'newLows':
      return isNewLow(stock, kept);
    case 'unusualVolume':
      return hasTraded(stock) && relativeVolume !== null && relativeVolume >= UNUSUAL_VOLUME;
  }
}
