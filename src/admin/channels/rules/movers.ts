import { compareCodes } from '../../../lib/text.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import { defaultFilters } from '../../../subjects/scanners/rules/filters.ts';
import { rowsFor, snapshotRowsFor } from '../../../subjects/scanners/rules/membership.ts';
import { type ScannerKey, SCANNERS } from '../../../subjects/scanners/rules/scanners.ts';

/** A stock and what it moved, percent. */
export type Mover = { code: string; percent: number };
/** The scanner's name on screen, and its stocks, those that moved most first. */
export type ScannerMovers = { title: string; movers: Mover[]; count: number };

/** The custom scanner has every stock, and what it shows is each user's own. */
const SUMMED_UP: readonly ScannerKey[] = [
  'preMarket',
  'intraDaySmall',
  'intraDayMidLarge',
  'intraDayLargeCap',
];
/** Every price, and the least value that the scanners begin with. */
const FILTERS = { ...defaultFilters(false), priceGroup: null };

const percentOf = (key: ScannerKey, stock: Stock): number | null =>
  key === 'preMarket' ? stock.indicativeChangePercent : stock.change_percent;

/**
 * The stocks of each scanner that moved most: of the pre-market one by the gap of their last indicative auction, of the
 * others by the day's change. A stock whose move is not known is left out.
 *
 * @param options `ignoreStatus` as the source has it; `today` the session's Sydney date; `most` so many of each
 */
export function topMovers(
  stocks: Iterable<Stock>,
  options: { ignoreStatus: boolean; today: string; most: number },
): ScannerMovers[] {
  const all = [...stocks];
  const { ignoreStatus, today, most } = options;
  return SUMMED_UP.map((key) => {
    const rowOptions = { filters: FILTERS, ignoreStatus, today };
    const rows = key === 'preMarket' ? snapshotRowsFor(all, rowOptions) : rowsFor(key, all, rowOptions);
    const movers = rows
      .flatMap((stock) => {
        const percent = percentOf(key, stock);
        return percent === null ? [] : [{ code: stock.code, percent }];
      })
      .sort((a, b) => b.percent - a.percent || compareCodes(a.code, b.code));
    return { title: SCANNERS[key].tab, movers: movers.slice(0, most), count: movers.length };
  });
}
