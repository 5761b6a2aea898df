import { useMemo, useRef } from 'react';
import {
  filterValue,
  OPEN_FILTERS,
  type ScannerFilters,
  sliderMax,
} from '../../../src/domain/scanners/filters.ts';
import { type ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import {
  rowsFor,
  type ScannerRow,
  snapshotRow,
  snapshotRowsFor,
} from '../../../src/domain/scanners/membership.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';

export type ScannerRows = {
  rows: readonly ScannerRow[];
  /** The pre-market scanner's second table; empty elsewhere. */
  snapshotRows: readonly ScannerRow[];
  /** Stocks that belong but are hidden by the filters. */
  hidden: number;
  sliderMax: number;
  /** The newest state of a stock that is still shown but no longer belongs. */
  lookup(code: string): ScannerRow | undefined;
  lookupSnapshot(code: string): ScannerRow | undefined;
};

export type ScannerRowsInput = {
  scanner: ScannerKey;
  stocks: ReadonlyMap<string, Stock>;
  filters: ScannerFilters;
  /** The codes a scan lets through; null lets all through. */
  matches: ReadonlySet<string> | null;
  ignoreStatus: boolean;
  today: string;
};

/** The rows of a scanner's tables; an unchanged stock keeps its row's identity. */
export function useScannerRows(input: ScannerRowsInput): ScannerRows {
  const { scanner, stocks, filters, matches, ignoreStatus, today } = input;
  const coerced = useRef(new WeakMap<Stock, ScannerRow>());
  return useMemo(() => {
    const coerce = (stock: Stock): ScannerRow | null => {
      const known = coerced.current.get(stock);
      if (known) return known;
      const row = snapshotRow(stock);
      if (row) coerced.current.set(stock, row);
      return row;
    };
    const open = { filters: OPEN_FILTERS, ignoreStatus, today };
    const listed = rowsFor(scanner, stocks.values(), open);
    const members = matches === null ? listed : listed.filter(({ code }) => matches.has(code));
    const cached = scanner === 'preMarket' ? snapshotRowsFor(stocks.values(), open, coerce) : [];
    const rows = rowsFor(scanner, members, { filters, ignoreStatus, today });
    const snapshotRows = snapshotRowsFor(cached, { filters, today }, (row) => row);
    // Where the second table shows some, the first one is not empty for those that are hidden there.
    const hiddenThere = snapshotRows.length > 0 ? 0 : cached.length;
    return {
      rows,
      snapshotRows,
      hidden: members.length - rows.length + hiddenThere,
      sliderMax: sliderMax([...members, ...cached].map(filterValue)),
      lookup: (code) => stocks.get(code),
      lookupSnapshot: (code) => {
        const stock = stocks.get(code);
        return stock ? (coerce(stock) ?? undefined) : undefined;
      },
    };
  }, [scanner, stocks, filters, matches, ignoreStatus, today]);
}
