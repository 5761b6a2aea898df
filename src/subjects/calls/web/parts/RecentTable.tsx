import { lazy, Suspense, useState } from 'react';
import { administers } from '#web/shared/settings.ts';
import { DataTable } from '#ui/table/DataTable.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { RowDetail, SortState } from '#ui/table/types.ts';
import { NOT_LOADED, board, type RecentRow, recentRows } from '../state.ts';
import { CallsPanel, CallsPanelHead } from './CallsPanel.tsx';
import { ADMIN_COLUMNS, RECENT_COLUMNS } from './recentColumns.tsx';
import './RecentTable.css';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

const RecentDetail = lazy(async () => ({ default: (await import('./RecentDetail.tsx')).RecentDetail }));

const DETAIL: RowDetail<RecentRow> = {
  heading: 'Details',
  label: ({ call }) => `Details of ${call.symbol} by ${call.submittedBy.display}`,
  render: (row) => (
    <Suspense fallback={null}>
      <RecentDetail row={row} />
    </Suspense>
  ),
};

const TITLE = 'Recent Calls';

const idOf = (row: RecentRow): string => row.call.publicId;

/** Recent Calls with live prices, the newest first until it is sorted otherwise. */
export function RecentTable() {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'submitted', desc: true });
  const columns = administers.value ? ADMIN_COLUMNS : RECENT_COLUMNS;
  return (
    <CallsPanel title={TITLE} className="recent-table" hasOwnHead>
      <DataTable
        label={TITLE}
        columns={columns}
        rows={recentRows.value}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        detail={DETAIL}
        resetKey={String(data?.fetchedAt ?? 0)}
        loading={data === null && (isLoading || error === null)}
        empty={<EmptyState>{data === null ? NOT_LOADED : 'No calls recorded.'}</EmptyState>}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <CallsPanelHead title={TITLE}>
            <TakeButton label={TITLE} columns={columns} rows={newestRows} />
            {pausedChip}
          </CallsPanelHead>
        )}
      />
    </CallsPanel>
  );
}
