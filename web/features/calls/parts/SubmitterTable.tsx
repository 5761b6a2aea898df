import { useState } from 'react';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { SortState } from '../../../ui/table/types.ts';
import { SUBMITTER_COLUMNS } from '../columns.tsx';
import type { Submitter } from '../readCalls.ts';
import { board } from '../state.ts';

const NO_SUBMITTERS: readonly Submitter[] = [];
const nameOf = (entry: Submitter): string => entry.submitter.display;

/** Submitter Overview, best rank first until it is sorted otherwise. */
export function SubmitterTable() {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'rank', desc: false });
  const rows = data?.leaderboard ?? NO_SUBMITTERS;
  return (
    <section
      className="calls-panel calls-submitters"
      aria-labelledby="submitters-title"
      data-rows={Math.min(rows.length, 8)}
    >
      <h2 id="submitters-title">Submitter Overview</h2>
      <DataTable
        label="Submitter Overview"
        columns={SUBMITTER_COLUMNS}
        rows={rows}
        rowId={nameOf}
        sort={sort}
        onSort={setSort}
        resetKey={String(data?.fetchedAt ?? 0)}
        loading={data === null && (isLoading || error === null)}
        empty={<EmptyState>No calls yet.</EmptyState>}
      />
    </section>
  );
}
