import { useEffect, useMemo, useRef } from 'react';
import { type ScannerRow, snapshotRow } from '../../../src/domain/scanners/membership.ts';
import {
  scannerTables,
  type ScannerTables,
  type ScannerTablesInput,
} from '../../../src/domain/scanners/scannerTables.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import { useHeldCodes } from './useHeldCodes.ts';

export type ScannerRows = ScannerTables & {
  /** The present state of a stock, also of one that has left the scanner while its row is held. */
  lookup(code: string): ScannerRow | undefined;
  lookupSnapshot(code: string): ScannerRow | undefined;
};

/** The rows of a scanner's tables. A stock that did not change keeps its row object, so that it is not drawn again. */
export function useScannerRows(input: ScannerTablesInput): ScannerRows {
  const { scanner, stocks, filters, matches, ignoreStatus, today } = input;
  const rowOfStock = useRef(new WeakMap<Stock, ScannerRow>());
  const held = useHeldCodes();
  const found = useMemo((): ScannerRows => {
    const toSnapshotRow = (stock: Stock): ScannerRow | null => {
      const cached = rowOfStock.current.get(stock);
      if (cached) return cached;
      const row = snapshotRow(stock);
      if (row) rowOfStock.current.set(stock, row);
      return row;
    };
    return {
      ...scannerTables({ scanner, stocks, filters, matches, ignoreStatus, today }, toSnapshotRow),
      lookup: (code) => {
        held.note(code);
        return stocks.get(code);
      },
      lookupSnapshot: (code) => {
        held.note(code);
        const stock = stocks.get(code);
        return stock ? (toSnapshotRow(stock) ?? undefined) : undefined;
      },
    };
  }, [scanner, stocks, filters, matches, ignoreStatus, today, held]);
  // The tables below have drawn the rows by now, and looked up those that are held.
  useEffect(() => held.watchNoted(), [held, found]);
  return found;
}
