import { type ReactNode, useMemo, useState } from 'react';
import { formatNumber } from '../../../../../texts/format.ts';
import { EmptyState } from '../../../../../../web/ui/EmptyState.tsx';
import { DataTable } from '../../../../../../web/ui/table/DataTable.tsx';
import type { SortState } from '../../../../../../web/ui/table/types.ts';
import { useWidthQuery } from '../../../../../../web/ui/useWidthQuery.ts';
import { type TriggerRow, triggerColumns } from './triggerColumns.tsx';

type TriggersTableProps = {
  rows: readonly TriggerRow[];
  /** How many were loaded, whatever the search shows. */
  loaded: number;
  isLoading: boolean;
  hasMore: boolean;
  /** What is searched for; '' for nothing. */
  typed: string;
  onOpen(id: string): void;
};

const idOf = ({ rowId }: TriggerRow): string => rowId;

const triggersText = (count: number): string =>
  `${formatNumber(count, 0)} ${count === 1 ? 'trigger' : 'triggers'}`;

/** How many there are: '12 triggers', 'Newest 50 shown', '3 of the newest 50'. */
function countText({ rows, loaded, hasMore, typed }: TriggersTableProps): string {
  const newest = hasMore ? `newest ${formatNumber(loaded, 0)}` : triggersText(loaded);
  if (typed !== '') return `${formatNumber(rows.length, 0)} of ${hasMore ? 'the ' : ''}${newest}`;
  return hasMore ? `Newest ${formatNumber(loaded, 0)} shown` : newest;
}

function emptyText({ loaded, hasMore, typed }: TriggersTableProps): string {
  if (loaded === 0) return 'No alert has fired in the last 30 days.';
  const among = hasMore
    ? ` among the newest ${formatNumber(loaded, 0)}. Load more to search further back`
    : '';
  return `No trigger answers to “${typed}”${among}.`;
}

/** The rows of all triggers. A click or Enter opens the alert of one. */
export function TriggersTable(props: TriggersTableProps): ReactNode {
  const { rows, typed } = props;
  const [sort, setSort] = useState<SortState>({ id: 'time', desc: true });
  const isNarrow = useWidthQuery('phone');
  const columns = useMemo(() => triggerColumns(isNarrow), [isNarrow]);
  return (
    <DataTable
      label="Triggers"
      columns={columns}
      rows={rows}
      rowId={idOf}
      sort={sort}
      onSort={setSort}
      onOpen={props.onOpen}
      resetKey={typed}
      loading={props.isLoading}
      isPrimary
      heading={({ pausedChip }) => (
        <header className="list-head">
          <span className="muted" role="status">
            {props.isLoading ? 'Loading…' : props.loaded > 0 && countText(props)}
          </span>
          {pausedChip}
        </header>
      )}
      empty={<EmptyState>{emptyText(props)}</EmptyState>}
    />
  );
}
