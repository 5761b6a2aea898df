import type { PriceRanges } from '#market/rules/breadth.ts';
import type { Stock } from '#market/rules/stock.ts';
import {
  filterValue,
  hasGap,
  passesFilters,
  type ScannerFilters,
  sliderMax,
} from '#market/scanners/rules/filters.ts';
import { belongsTo, type ScannerRow, snapshotRow } from '#market/scanners/rules/membership.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

export type ScannerTablesInput = {
  scanner: ScannerKey;
  /** At least the scanner's members, each code once. */
  stocks: ReadonlyMap<string, Stock>;
  filters: ScannerFilters;
  /** The codes that a scan lets through; null lets all through. */
  matches: ReadonlySet<string> | null;
  /** Of the kept daily bars, for the filters of new highs and lows; null, or left out, while they are not known. */
  ranges?: PriceRanges | null;
  /** A stock of the scanner that is shown whatever filters and scan say, as somebody jumped to it; null for none. */
  requestedCode?: string | null;
  ignoreStatus: boolean;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

/** What a scanner shows, unsorted. */
export type ScannerTables = {
  rows: readonly ScannerRow[];
  /** The pre-market scanner's second table; empty elsewhere. */
  snapshotRows: readonly ScannerRow[];
  /** How many stocks of the scanner the filters hide. */
  hidden: number;
  /** The end of the minimum-value slider, AUD. */
  sliderMax: number;
};

/**
 * The tables of a scanner, in one pass over the stocks.
 * @param coerce snapshotRow, or a memoised one so that unchanged rows keep identity
 */
export function scannerTables(
  input: ScannerTablesInput,
  coerce: (stock: Stock) => ScannerRow | null = snapshotRow,
): ScannerTables {
  const { scanner, stocks, filters, matches, ignoreStatus, today, requestedCode = null } = input;
  const { ranges = null } = input;
  const rows: ScannerRow[] = [];
  const snapshotRows: ScannerRow[] = [];
  const values: (number | null)[] = [];
  let members = 0;
  let snapshots = 0;
  const isRequested = ({ code }: Stock): boolean => code === requestedCode;
  const isLetThrough = (stock: Stock) => matches === null || matches.has(stock.code) || isRequested(stock);
  const isShown = (row: Stock) => passesFilters(row, filters, today, ranges) || isRequested(row);
  for (const stock of stocks.values()) {
    // What was jumped to belongs whichever gaps its reader chose.
    const gaps = isRequested(stock) && belongsTo(scanner, stock, ignoreStatus) ? undefined : filters.gaps;
    if (belongsTo(scanner, stock, ignoreStatus, gaps) && isLetThrough(stock)) {
      members += 1;
      values.push(filterValue(stock));
      if (isShown(stock)) rows.push(stock);
    }
    const row = scanner === 'preMarket' ? coerce(stock) : null;
    if (row === null || !hasGap(row, filters.gaps)) continue;
    snapshots += 1;
    values.push(filterValue(row));
    if (isShown(row)) snapshotRows.push(row);
  }
  // Without a row the snapshot table is not shown: then the first table's empty text counts for both.
  const hiddenSnapshots = snapshotRows.length > 0 ? 0 : snapshots;
  return {
    rows,
    snapshotRows,
    hidden: members - rows.length + hiddenSnapshots,
    sliderMax: sliderMax(values),
  };
}
