import { computed, type ReadonlySignal } from '@preact/signals-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ScannerRow, snapshotRow } from '#market/scanners/rules/membership.ts';
import { scannerTables, type ScannerTablesInput } from '../rules/scannerTables.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { LiveRows } from '#ui/table/tableModel.ts';
import { createWatcher } from '#web/live/watching.ts';

/** Codes of held rows: they are still shown although their stocks left the scanner. */
type HeldCodes = {
  note(code: string): void;
  /** Watches the codes that were noted since the last call, and no others. */
  watchNoted(): void;
  stop(): void;
};

function createHeldCodes(): HeldCodes {
  const watcher = createWatcher();
  let noted = new Set<string>();
  let watched = '';
  return {
    note: (code) => void noted.add(code),
    watchNoted: () => {
      const codes = [...noted].sort();
      noted = new Set();
      if (codes.join() === watched) return;
      watched = codes.join();
      watcher.set({ codes });
    },
    stop: watcher.stop,
  };
}

/** Updates held rows: looking up a row that left notes its code, which is then watched. */
function useHeldCodes(): HeldCodes {
  const [held] = useState(createHeldCodes);
  useEffect(() => held.stop, [held]);
  return held;
}

export type ScannerRowsInput = Omit<ScannerTablesInput, 'stocks'> & {
  /** At least the scanner's stocks, each code once. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
};

/** Rows change without a render; changes of the other members cause one. */
export type ScannerRows = {
  rows: LiveRows<ScannerRow>;
  /** Second table of the pre-market scanner; empty otherwise. */
  snapshotRows: LiveRows<ScannerRow>;
  isEmpty: boolean;
  hasSnapshots: boolean;
  capturedAt: string | undefined;
  /** Number of the scanner's stocks that the filters hide. */
  hidden: number;
  /** Maximum of the minimum-value slider, AUD. */
  sliderMax: number;
  /** Finds a row, also of a stock that left while its row is held. */
  lookup(code: string): ScannerRow | undefined;
  lookupSnapshot(code: string): ScannerRow | undefined;
};

type RowOfStock = WeakMap<Stock, ScannerRow>;

function liveTables({ stocks, ...input }: ScannerRowsInput, rowOfStock: RowOfStock, held: HeldCodes) {
  const toSnapshotRow = (stock: Stock): ScannerRow | null => {
    const cached = rowOfStock.get(stock);
    if (cached) return cached;
    const row = snapshotRow(stock);
    if (row) rowOfStock.set(stock, row);
    return row;
  };
  const tables = computed(() => scannerTables({ ...input, stocks: stocks.value }, toSnapshotRow));
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
}

/** The rows of a scanner's tables. Unchanged stocks keep their row objects, so that they are not drawn again. */
export function useScannerRows(input: ScannerRowsInput): ScannerRows {
  const {
    scanner,
    stocks,
    filters,
    matches,
    ignoreStatus,
    today,
    requestedCode = null,
    ranges = null,
  } = input;
  const rowOfStock = useRef<RowOfStock>(new WeakMap());
  const held = useHeldCodes();
  const live = useMemo(
    () =>
      liveTables(
        { scanner, stocks, filters, matches, ignoreStatus, today, requestedCode, ranges },
        rowOfStock.current,
        held,
      ),
    [scanner, stocks, filters, matches, ignoreStatus, today, requestedCode, ranges, held],
  );
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

/** Runs after the tables were drawn, which looks up the held rows. Returns the stop function. */
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
