import { computed, type ReadonlySignal } from '@preact/signals-react';
import { useEffect, useMemo, useRef } from 'react';
import { type ScannerRow, snapshotRow } from '../rules/membership.ts';
import { scannerTables, type ScannerTablesInput } from '../rules/scannerTables.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { LiveRows } from '../../../../web/ui/table/types.ts';
import { useHeldCodes } from './useHeldCodes.ts';

export type ScannerRowsInput = Omit<ScannerTablesInput, 'stocks'> & {
  /** At least the scanner's members, each code once. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
};

/** What a scanner shows. The rows move without a render; what else is here renders when it changes. */
export type ScannerRows = {
  rows: LiveRows<ScannerRow>;
  /** The pre-market scanner's second table; empty elsewhere. */
  snapshotRows: LiveRows<ScannerRow>;
  isEmpty: boolean;
  hasSnapshots: boolean;
  /** When the first of the snapshots was taken. */
  capturedAt: string | undefined;
  /** How many stocks of the scanner the filters hide. */
  hidden: number;
  /** The end of the minimum-value slider, AUD. */
  sliderMax: number;
  /** The present state of a stock, also of one that has left the scanner while its row is held. */
  lookup(code: string): ScannerRow | undefined;
  lookupSnapshot(code: string): ScannerRow | undefined;
};

/** The rows of a scanner's tables. A stock that did not change keeps its row object, so that it is not drawn again. */
export function useScannerRows(input: ScannerRowsInput): ScannerRows {
  const { scanner, stocks, filters, matches, ignoreStatus, today, requestedCode = null } = input;
  const rowOfStock = useRef(new WeakMap<Stock, ScannerRow>());
  const held = useHeldCodes();
  const live = useMemo(() => {
    const toSnapshotRow = (stock: Stock): ScannerRow | null => {
      const cached = rowOfStock.current.get(stock);
      if (cached) return cached;
      const row = snapshotRow(stock);
      if (row) rowOfStock.current.set(stock, row);
      return row;
    };
    const tables = computed(() =>
      scannerTables(
        { scanner, stocks: stocks.value, filters, matches, ignoreStatus, today, requestedCode },
        toSnapshotRow,
      ),
    );
    return {
      tables,
      rows: computed(() => tables.value.rows),
      snapshotRows: computed(() => tables.value.snapshotRows),
      isEmpty: computed(() => tables.value.rows.length === 0),
      hasSnapshots: computed(() => tables.value.snapshotRows.length > 0),
      capturedAt: computed(() => tables.value.snapshotRows[0]?.snapshotCapturedAt),
      hidden: computed(() => tables.value.hidden),
      sliderMax: computed(() => tables.value.sliderMax),
      lookup: (code: string) => {
        held.note(code);
        return stocks.peek().get(code);
      },
      lookupSnapshot: (code: string) => {
        held.note(code);
        const stock = stocks.peek().get(code);
        return stock ? (toSnapshotRow(stock) ?? undefined) : undefined;
      },
    };
  }, [scanner, stocks, filters, matches, ignoreStatus, today, requestedCode, held]);
  useEffect(() => followHeld(live.tables, held.watchNoted), [live, held]);
  return {
    ...live,
    isEmpty: live.isEmpty.value,
    hasSnapshots: live.hasSnapshots.value,
    capturedAt: live.capturedAt.value,
    hidden: live.hidden.value,
    sliderMax: live.sliderMax.value,
  };
}

/** Once the tables below have drawn the rows, and looked up those that are held. Returns the stop function. */
function followHeld(tables: ReadonlySignal<unknown>, watchNoted: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = tables.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(watchNoted);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
