import { useMemo, useRef } from 'react';
import {
  filterValue,
  OPEN_FILTERS,
  passesFilters,
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
  /** How many stocks of the scanner the filters hide. */
  hidden: number;
  /** The end of the minimum-value slider, AUD. */
  sliderMax: number;
  /** The present state of a stock, also of one that has left the scanner while its row is held. */
  lookup(code: string): ScannerRow | undefined;
  lookupSnapshot(code: string): ScannerRow | undefined;
};

export type ScannerRowsInput = {
  scanner: ScannerKey;
  stocks: ReadonlyMap<string, Stock>;
  filters: ScannerFilters;
  /** The codes that a scan lets through; null lets all through. */
  matches: ReadonlySet<string> | null;
  ignoreStatus: boolean;
  /** Sydney date, YYYY-MM-DD. */
  today: string;
};

/** The rows of a scanner's tables. A stock that did not change keeps its row object, so that it is not drawn again. */
export function useScannerRows(input: ScannerRowsInput): ScannerRows {
  const { scanner, stocks, filters, matches, ignoreStatus, today } = input;
  const rowOfStock = useRef(new WeakMap<Stock, ScannerRow>());
  return useMemo(() => {
    const toSnapshotRow = (stock: Stock): ScannerRow | null => {
      const cached = rowOfStock.current.get(stock);
      if (cached) return cached;
      const row = snapshotRow(stock);
      if (row) rowOfStock.current.set(stock, row);
      return row;
    };
    const open = { filters: OPEN_FILTERS, ignoreStatus, today };
    const listed = rowsFor(scanner, stocks.values(), open);
    const members = matches === null ? listed : listed.filter(({ code }) => matches.has(code));
    const snapshots = scanner === 'preMarket' ? snapshotRowsFor(stocks.values(), open, toSnapshotRow) : [];
    const rows = members.filter((stock) => passesFilters(stock, filters, today));
    const snapshotRows = snapshotRowsFor(snapshots, { filters, today }, (row) => row);
    // Without a row the snapshot table is not shown: then the first table's empty text counts for both.
    const hiddenSnapshots = snapshotRows.length > 0 ? 0 : snapshots.length;
    return {
      rows,
      snapshotRows,
      hidden: members.length - rows.length + hiddenSnapshots,
      sliderMax: sliderMax([...members, ...snapshots].map(filterValue)),
      lookup: (code) => stocks.get(code),
      lookupSnapshot: (code) => {
        const stock = stocks.get(code);
        return stock ? (toSnapshotRow(stock) ?? undefined) : undefined;
      },
    };
  }, [scanner, stocks, filters, matches, ignoreStatus, today]);
}
