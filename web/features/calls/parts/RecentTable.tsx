import { useState } from 'react';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { SortState } from '../../../ui/table/types.ts';
import { RECENT_COLUMNS } from '../columns.tsx';
import { board, type RecentRow, recentRows } from '../state.ts';

const idOf = (row: RecentRow): string => row.call.publicId;

/** Recent Calls with live prices, the newest first until it is sorted otherwise. */
export function RecentTable() {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'submitted', desc: true });
  return (
    <section className="calls-panel calls-recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent Calls</h2>
      <DataTable
        label="Recent Calls"
        columns={RECENT_COLUMNS}
        rows={recentRows.value}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        resetKey={String(data?.fetchedAt ?? 0)}
        loading={data === null && (isLoading || error === null)}
        empty={<EmptyState>No calls recorded.</EmptyState>}
        isPrimary
      />
    </section>
  );
}
