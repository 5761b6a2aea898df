import { computed, type ReadonlySignal } from '@preact/signals-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type ScannerRow, snapshotRow } from '#market/scanners/rules/membership.ts';
import { scannerTables, type ScannerTablesInput } from '../rules/scannerTables.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { LiveRows } from '#ui/table/types.ts';
import { createWatcher } from '#web/live/watching.ts';

/** The codes of rows that are still shown although their stocks have left the scanner. */
type HeldCodes = {
  /** Such a row is being drawn. */
  note(code: string): void;
  /** Watches those that were noted since it was called last, instead of those before. */
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

/** Keeps held rows up to date: anyone who looks a row up that has left notes its code, and it is watched by name. */
function useHeldCodes(): HeldCodes {
  const [held] = useState(createHeldCodes);
  useEffect(() => held.stop, [held]);
  return held;
}

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

type RowOfStock = WeakMap<Stock, ScannerRow>;

/** What follows from the market with each tick. */
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

/** The rows of a scanner's tables. A stock that did not change keeps its row object, so that it is not drawn again. */
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
