import { type ReactNode, useCallback, useMemo } from 'react';
import { formatDate, formatNumber } from '../../../../src/domain/format.ts';
import type { Sort } from '../../../../src/domain/scanners/scanners.ts';
import type { ScannerRow } from '../../../../src/domain/scanners/membership.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/table/types.ts';
import { summaryOf } from '../summary.ts';
import { useSummary } from '../useSummary.ts';
import { NewsRow } from './NewsRow.tsx';

export type ScannerTableProps = {
  title: string;
  /** What stands behind the title, such as when the values were captured. */
  note?: string;
  columns: readonly TableColumn<ScannerRow>[];
  rows: readonly ScannerRow[];
  lookup(code: string): ScannerRow | undefined;
  sort: Sort;
  onSort(sort: Sort): void;
  resetKey: string;
  /** Sydney date, YYYY-MM-DD; '' before the first snapshot. */
  today: string;
  isLoading: boolean;
  /** How many stocks the filters hide; told when nothing is left. */
  hidden: number;
  /** What the empty table says besides, such as what it waits for. */
  emptyNote?: string | null;
  isPrimary: boolean;
};

const codeOf = (row: ScannerRow): string => row.code;

/** A titled table of stocks with its count, its empty and loading looks and the news under its rows. */
export function ScannerTable(props: ScannerTableProps): ReactNode {
  const { title, rows, today, isLoading, hidden } = props;
  const renderNews = useCallback((row: ScannerRow) => <NewsRow row={row} today={today} />, [today]);
  const detail = useMemo(
    () => ({ heading: 'News', label: (row: ScannerRow) => `News for ${row.code}`, render: renderNews }),
    [renderNews],
  );
  const summary = useSummary(isLoading || !props.isPrimary, () => summaryOf(props));
  const Title = props.isPrimary ? 'h1' : 'h2';
  const isEmpty = rows.length === 0 && !isLoading;
  return (
    <section className="scanner-panel" data-empty={isEmpty || undefined} aria-label={title}>
      <header className="scanner-head">
        <Title className="scanner-title">{title}</Title>
        <span className="scanner-count">
          {isLoading
            ? 'Loading…'
            : `${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'stock' : 'stocks'}`}
        </span>
        {props.note && <span className="scanner-note">{props.note}</span>}
      </header>
      {props.isPrimary && (
        <p className="visually-hidden" role="status">
          {summary}
        </p>
      )}
      <DataTable
        label={title}
        columns={props.columns}
        rows={rows}
        rowId={codeOf}
        sort={props.sort}
        onSort={props.onSort}
        resetKey={props.resetKey}
        lookup={props.lookup}
        detail={detail}
        loading={isLoading}
        isPrimary={props.isPrimary}
        empty={<EmptyText today={today} hidden={hidden} note={props.emptyNote ?? null} />}
      />
    </section>
  );
}

type EmptyTextProps = { today: string; hidden: number; note: string | null };

function EmptyText({ today, hidden, note }: EmptyTextProps): ReactNode {
  return (
    <EmptyState detail={formatDate(today)}>
      No results yet
      {note !== null && <span className="empty-hint">{note}</span>}
      {hidden > 0 && (
        <span className="empty-hint">
          The filters hide {formatNumber(hidden, 0)} {hidden === 1 ? 'stock' : 'stocks'}.
        </span>
      )}
    </EmptyState>
  );
}
