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
  /** All stocks, or at least the scanner's. */
  stocks: ReadonlyMap<string, Stock>;
  filters: ScannerFilters;
  /** Codes of stocks that match the scan; null for all. */
  matches: ReadonlySet<string> | null;
  /** Ranges of daily bars for the filters of new highs and lows; null or omitted if unknown. */
  ranges?: PriceRanges | null;
  /** The stock that the user jumped to, which is shown despite filters and scan. */
  requestedCode?: string | null;
  ignoreStatus: boolean;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

export type ScannerTables = {
  rows: readonly ScannerRow[];
  /** The pre-market scanner's second table; empty elsewhere. */
  snapshotRows: readonly ScannerRow[];
  /** Number of the scanner's stocks that the filters hide. */
  hidden: number;
  /** Maximum of the minimum-value slider, AUD. */
  sliderMax: number;
};

/** Builds all tables in one pass. @param coerce snapshotRow, or a memoised one so that unchanged rows keep identity */
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
    // The requested stock appears whatever the gap filter.
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
  // Without rows the snapshot table is hidden, so the empty text of the first table covers both.
  const hiddenSnapshots = snapshotRows.length > 0 ? 0 : snapshots;
  return {
    rows,
    snapshotRows,
    hidden: members - rows.length + hiddenSnapshots,
    sliderMax: sliderMax(values),
  };
}
