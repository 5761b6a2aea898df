import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatTime } from '../../../src/domain/format.ts';
import { OPEN_FILTERS, type ScannerFilters } from '../../../src/domain/scanners/filters.ts';
import type { Column } from '../../../src/domain/scanners/columns.ts';
import { shownColumns, withColumns } from '../../../src/domain/scanners/shownColumns.ts';
import {
  SCANNERS,
  type ScannerKey,
  SNAPSHOT_TITLE,
  type Sort,
} from '../../../src/domain/scanners/scanners.ts';
import type { Stock } from '../../../src/domain/market/stock.ts';
import type { Connection, MarketMeta } from '../../shared/live/stream/protocol.ts';
import { forgetRow, requestedRow } from '../../shared/requestedRow.ts';
import { FilterBar } from './parts/FilterBar.tsx';
import { ScannerTable } from './parts/ScannerTable.tsx';
import { StreamFailed } from './parts/StreamFailed.tsx';
import { tableColumns } from './tableColumns.tsx';
import { useFilterKey } from './useFilterKey.ts';
import { useLate } from './useLate.ts';
import { useWidthQuery } from '../../ui/useWidthQuery.ts';
import { useScannerMemory } from './useScannerMemory.ts';
import { useScannerRows } from './useScannerRows.ts';

/** A server that answers but says nothing for so long is not there for the trader. */
const PATIENCE_MS = 15_000;
const NO_COLUMNS: readonly Column[] = [];

export type ScannerScreenProps = {
  scanner: ScannerKey;
  stocks: ReadonlyMap<string, Stock>;
  /** Null before the first snapshot. */
  meta: MarketMeta | null;
  link: Connection;
  quoteSite: string;
  /** The user's layout of this table; undefined shows the default one. */
  layout?: unknown;
  /** Columns after those of the layout. */
  moreColumns?: readonly Column[];
  /** The codes a scan lets through; null lets all through. */
  matches?: ReadonlySet<string> | null;
  /** Which scan that is: another one is shown at once, also while the order is held. */
  scope?: string;
  /** What the empty table says besides. */
  emptyNote?: string | null;
  onConfigure(): void;
  /** Null in a window that is a popup already. */
  onPopOut: (() => void) | null;
  onRetry(): void;
  /** Between filters and table: what the user must be told. */
  strip?: ReactNode;
};

const changesOf = (before: ScannerFilters, after: ScannerFilters): Partial<ScannerFilters> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof ScannerFilters] !== value),
  );

/** One scanner: its filters and its tables. Mount it anew (by key) for another scanner. */
export function ScannerScreen(props: ScannerScreenProps): ReactNode {
  const { scanner, stocks, meta, link, quoteSite, layout, moreColumns = NO_COLUMNS, matches = null } = props;
  const [memory, remember] = useScannerMemory(scanner);
  const isNarrow = useWidthQuery('phone');
  const textRef = useRef<HTMLInputElement>(null);
  useFilterKey(textRef);
  const today = meta?.dateToday ?? '';
  const wanted = requestedRow.value?.scanner === scanner ? requestedRow.value.code : null;
  useEffect(() => () => forgetRow(scanner), [scanner]);
  const filters = useMemo(
    () => (wanted === null ? memory.filters : { ...OPEN_FILTERS, text: wanted }),
    [memory.filters, wanted],
  );
  const found = useScannerRows({
    scanner,
    stocks,
    filters,
    matches: wanted === null ? matches : null,
    ignoreStatus: meta?.flags.ignoreStatus ?? false,
    today,
  });
  const shown = useMemo(
    () => withColumns(shownColumns(scanner, layout), moreColumns),
    [scanner, layout, moreColumns],
  );
  const columns = useMemo(
    () => tableColumns({ scanner, columns: shown, isNarrow, quoteSite, today }),
    [scanner, shown, isNarrow, quoteSite, today],
  );
  const onFilters = useCallback(
    (next: ScannerFilters) => {
      forgetRow(scanner);
      // After a jump the trader's own filters are back, but for what was changed just now.
      remember({ filters: wanted === null ? next : { ...memory.filters, ...changesOf(filters, next) } });
    },
    [remember, scanner, wanted, memory.filters, filters],
  );
  const onSort = useCallback((sort: Sort) => remember({ sort }), [remember]);
  const onSnapshotSort = useCallback((snapshotSort: Sort) => remember({ snapshotSort }), [remember]);
  const { defaultSort, title } = SCANNERS[scanner];
  const isShown = (sort: Sort): boolean => columns.some(({ id }) => id === sort.id);
  // The user may have hidden what the scanner ranks by: then by the first number that is there.
  const firstNumber = columns.find(({ numeric }) => numeric)?.id;
  const fallback = isShown(defaultSort) || !firstNumber ? defaultSort : { id: firstNumber, desc: true };
  const shownSort = (sort: Sort): Sort => (isShown(sort) ? sort : fallback);
  const shared = { columns, today, resetKey: `${JSON.stringify(filters)}${props.scope ?? ''}` };
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setAttempt(attempt + 1);
    props.onRetry();
  };
  const isWaiting = meta === null;
  const isLate = useLate(isWaiting, PATIENCE_MS, attempt);
  const hasFailed = isWaiting && (isLate || link === 'disconnected' || link === 'reconnecting');
  const capturedAt = found.snapshotRows[0]?.snapshotCapturedAt;

  return (
    <div className="scanner">
      <FilterBar
        filters={filters}
        onChange={onFilters}
        hasPriceGroup={scanner === 'preMarket'}
        sliderMax={found.sliderMax}
        textRef={textRef}
        onConfigure={props.onConfigure}
        onPopOut={props.onPopOut}
        isNarrow={isNarrow}
      />
      {props.strip}
      {hasFailed ? (
        <StreamFailed onRetry={retry} />
      ) : (
        <ScannerTable
          {...shared}
          title={title}
          rows={found.rows}
          lookup={found.lookup}
          sort={shownSort(memory.sort)}
          onSort={onSort}
          isLoading={isWaiting}
          hidden={found.hidden}
          emptyNote={props.emptyNote ?? null}
          isPrimary
        />
      )}
      {found.snapshotRows.length > 0 && (
        <ScannerTable
          {...shared}
          title={SNAPSHOT_TITLE}
          note={capturedAt ? `Last indicative auction, ${formatTime(capturedAt)}` : ''}
          rows={found.snapshotRows}
          lookup={found.lookupSnapshot}
          sort={shownSort(memory.snapshotSort)}
          onSort={onSnapshotSort}
          isLoading={false}
          hidden={0}
          isPrimary={false}
        />
      )}
    </div>
  );
}
