import type { ReadonlySignal } from '@preact/signals-react';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { formatTime } from '#texts/format.ts';
import type { Opening } from '#market/rules/opening.ts';
import type { Stock } from '#market/rules/stock.ts';
import { SCANNERS, type ScannerKey, SNAPSHOT_TITLE, type Sort } from '#market/scanners/rules/scanners.ts';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import type { TableColumn } from '#ui/table/types.ts';
import type { ScannerPreferences } from '../scannerPreferences.ts';
import type { ScannerRows } from '../useScannerRows.ts';
import { ScannerTable } from './ScannerTable.tsx';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { withStyles } from '#web/shared/lateStyles.ts';

type SortableColumn = Pick<TableColumn<never>, 'id' | 'numeric'>;

/**
 * The sort that a table can show, as the user may have hidden the column it names: the given one, else the scanner's
 * default, else the first numeric column from the highest value down.
 */
function visibleSort(sort: Sort, scanner: ScannerKey, columns: readonly SortableColumn[]): Sort {
  const { defaultSort } = SCANNERS[scanner];
  const found = [sort, defaultSort].find(({ id }) => columns.some((column) => column.id === id));
  const firstNumeric = columns.find(({ numeric }) => numeric);
  return found ?? (firstNumeric ? { id: firstNumeric.id, desc: true } : defaultSort);
}

const OpeningNote = lazy(() =>
  withStyles(import('../preOpen/OpeningNote.tsx')).then((code) => ({ default: code.OpeningNote })),
);

export type ScannerTablesProps = {
  scanner: ScannerKey;
  found: ScannerRows;
  columns: readonly TableColumn<ScannerRow>[];
  columnActions: ColumnActions | undefined;
  preferences: ScannerPreferences;
  onPreferences(change: Partial<ScannerPreferences>): void;
  /** Another one shows the rows again at once, also while their order is held. */
  resetKey: string;
  /** Another one also lets nothing be held for a while. */
  epoch: string;
  /** Sydney date, YYYY-MM-DD; '' before the first snapshot. */
  today: string;
  isLoading: boolean;
  /** What the empty table says besides. */
  emptyNote: string | null;
  /** The code of the row that somebody jumped to; null when there is none. */
  requestedCode: string | null;
  /** At least the scanner's. */
  stocks: ReadonlySignal<ReadonlyMap<string, Stock>>;
  /** The market's clock, epoch ms; null where the opening is not told. */
  clock: (() => number) | null;
  isPopup: boolean;
  /** A row that no longer belongs goes at once, also while somebody reads. */
  leavesAtOnce: boolean;
};

/** A scanner's table, and below it the Pre-Open Snapshot when that has rows. */
export function ScannerTables(props: ScannerTablesProps): ReactNode {
  const { scanner, found, columns, preferences, onPreferences, resetKey, epoch, today } = props;
  const onSort = useCallback((sort: Sort) => onPreferences({ sort }), [onPreferences]);
  const [opening, setOpening] = useState<Opening['kind'] | null>(null);
  const isEmpty = found.isEmpty && found.hidden === 0 && !props.isLoading;
  const isFolded = isEmpty && found.hasSnapshots && opening !== null && opening !== 'preOpen';
  return (
    <>
      <ScannerTable
        title={SCANNERS[scanner].title}
        note={openingNote(props, setOpening)}
        columns={columns}
        columnActions={props.columnActions}
        rows={found.rows}
        isEmpty={found.isEmpty}
        lookup={found.lookup}
        sort={visibleSort(preferences.sort, scanner, columns)}
        onSort={onSort}
        resetKey={resetKey}
        epoch={epoch}
        today={today}
        isLoading={props.isLoading}
        hidden={found.hidden}
        emptyNote={props.emptyNote}
        isPrimary
        requestedCode={props.requestedCode}
        isFolded={isFolded}
        leavesAtOnce={props.leavesAtOnce}
      />
      {found.hasSnapshots && <SnapshotTable {...props} takesKeys={isFolded} />}
    </>
  );
}

const openingNote = (
  { scanner, clock, stocks, preferences, isPopup }: ScannerTablesProps,
  onKind: (kind: Opening['kind']) => void,
): ReactNode =>
  scanner === 'preMarket' &&
  clock && (
    <Suspense fallback={null}>
      <OpeningNote
        clock={clock}
        stocks={stocks}
        priceGroup={preferences.filters.priceGroup}
        hasLink={!isPopup}
        onKind={onKind}
      />
    </Suspense>
  );

function SnapshotTable(props: ScannerTablesProps & { takesKeys: boolean }): ReactNode {
  const { scanner, found, columns, preferences, onPreferences } = props;
  const { capturedAt } = found;
  const onSort = useCallback((snapshotSort: Sort) => onPreferences({ snapshotSort }), [onPreferences]);
  return (
    <ScannerTable
      title={SNAPSHOT_TITLE}
      note={capturedAt ? `Last indicative auction, ${formatTime(capturedAt)}` : ''}
      columns={columns}
      columnActions={props.columnActions}
      rows={found.snapshotRows}
      isEmpty={!found.hasSnapshots}
      lookup={found.lookupSnapshot}
      sort={visibleSort(preferences.snapshotSort, scanner, columns)}
      onSort={onSort}
      resetKey={props.resetKey}
      epoch={props.epoch}
      today={props.today}
      isLoading={false}
      hidden={0}
      isPrimary={false}
      takesKeys={props.takesKeys}
      requestedCode={props.requestedCode}
    />
  );
}
