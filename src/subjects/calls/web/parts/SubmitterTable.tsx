import { type CSSProperties, useState } from 'react';
import type { Submitter } from '../api.ts';
import { DataTable } from '../../../../../web/ui/table/DataTable.tsx';
import { EmptyState } from '../../../../../web/ui/EmptyState.tsx';
import { Pill } from '../../../../../web/ui/Pill.tsx';
import type { SortState } from '../../../../../web/ui/table/types.ts';
import { NOT_LOADED, board } from '../state.ts';
import { CallsPanel } from './CallsPanel.tsx';
import { sourceLabel } from './sourceLabel.ts';
import { SUBMITTER_COLUMNS } from './submitterColumns.tsx';
import './SubmitterTable.css';

const MIN_ROWS_IN_VIEW = 3;
const MAX_ROWS_IN_VIEW = 8;

const nameOf = (entry: Submitter): string => entry.submitter.display;

type SubmitterTableProps = {
  title: string;
  /** Where the calls were made; null when that is not known. */
  source: string | null;
  rows: readonly Submitter[];
};

/** Submitters on one source, best rank first until they are sorted otherwise; as high as its rows need, within limits. */
export function SubmitterTable({ title, source, rows }: SubmitterTableProps) {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'rank', desc: false });
  // Before the rows are known there is room for all, so that what stands below seldom moves.
  const wanted = data === null ? MAX_ROWS_IN_VIEW : rows.length;
  const rowsInView = Math.min(Math.max(wanted, MIN_ROWS_IN_VIEW), MAX_ROWS_IN_VIEW);
  return (
    <CallsPanel
      title={title}
      note={source === null ? null : <Pill>{sourceLabel(source)}</Pill>}
      className="submitter-table"
      style={{ '--rows': rowsInView } as CSSProperties}
    >
      <DataTable
        label={title}
        columns={SUBMITTER_COLUMNS}
        rows={rows}
        rowId={nameOf}
        sort={sort}
        onSort={setSort}
        resetKey={String(data?.fetchedAt ?? 0)}
        loading={data === null && (isLoading || error === null)}
        empty={<EmptyState>{data === null ? NOT_LOADED : 'No calls yet.'}</EmptyState>}
      />
    </CallsPanel>
  );
}
