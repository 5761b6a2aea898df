import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { WatchTable as TableName } from '../../../rules/watchTable.ts';
import { formatNumber } from '../../../../../texts/format.ts';
import { meta } from '../../../../../../web/live/market.ts';
import { NewsPanel } from '../../../../announcements/web/shared/NewsPanel.tsx';
import { EmptyState } from '../../../../../../web/ui/EmptyState.tsx';
import { SkeletonRows } from '../../../../../../web/ui/SkeletonRows.tsx';
import { DataTable } from '../../../../../../web/ui/table/DataTable.tsx';
import type {
  OpenRows,
  RowDetail,
  RowMenuRequest,
  SortState,
  TableColumn,
} from '../../../../../../web/ui/table/types.ts';
import type { WatchRow } from '../rows.ts';
import { PageTable } from './PageTable.tsx';
import './WatchTable.css';

const AlertPanel = lazy(async () => ({ default: (await import('./AlertPanel.tsx')).AlertPanel }));

const RowMenu = lazy(async () => ({
  default: (await import('../../../../stock/web/shared/rowMenu/RowMenu.tsx')).RowMenu,
}));

const TITLES: Readonly<Record<TableName, string>> = { preOpen: 'Pre-open', trading: 'Trading' };
const EMPTY: Readonly<Record<TableName, string>> = {
  preOpen: 'No pre-open symbols',
  trading: 'No trading symbols',
};

const DETAIL: RowDetail<WatchRow> = {
  heading: 'Alert editor',
  opensByClick: true,
  label: ({ item }) => `Alerts for ${item.symbol}`,
  render: (row) => <Detail row={row} />,
};

/** What opens under a symbol: its alerts, and beside them, or below where there is no room, its news where it is listed. */
function Detail({ row: { item, stock } }: { row: WatchRow }): ReactNode {
  const today = meta.value?.dateToday ?? '';
  return (
    <div className="watch-detail">
      <div>
        <Suspense fallback={<SkeletonRows rows={3} label="Loading the alert editor…" />}>
          <AlertPanel symbol={item.symbol} />
        </Suspense>
      </div>
      {stock && (
        <div className="watch-news">
          <NewsPanel row={stock} today={today} hasAlertButton={false} />
        </div>
      )}
    </div>
  );
}

type WatchTableProps = {
  table: TableName;
  columns: readonly TableColumn<WatchRow>[];
  rows: readonly WatchRow[];
  sort: SortState;
  onSort(sort: SortState): void;
  openRows: OpenRows;
  isLoading: boolean;
  /** Takes j, k and the arrows when nothing has the focus. */
  isPrimary: boolean;
  requestedSymbol: string | null;
};

const idOf = ({ item }: WatchRow): string => item.symbol;

/** One of the watchlist's tables, with the alert editors under its rows. */
export function WatchTable(props: WatchTableProps): ReactNode {
  const { table, rows, isLoading } = props;
  // What came or went did so by the user's own doing or by the market's phase: it is shown at once, held or not.
  const members = useMemo(() => rows.map(idOf).sort().join(), [rows]);
  const title = TITLES[table];
  const [menu, setMenu] = useState<RowMenuRequest | null>(null);
  return (
    <PageTable block="watch-table" label={title} isLoading={isLoading}>
      <DataTable
        label={title}
        columns={props.columns}
        rows={rows}
        rowId={idOf}
        sort={props.sort}
        onSort={props.onSort}
        openRows={props.openRows}
        detail={DETAIL}
        resetKey={members}
        loading={isLoading}
        isPrimary={props.isPrimary}
        requestedId={props.requestedSymbol}
        heading={({ pausedChip }) => (
          <header className="watch-table-head">
            <h2>{title}</h2>
            <span className="watch-table-count">
              {isLoading
                ? 'Loading…'
                : `${formatNumber(rows.length, 0)} ${rows.length === 1 ? 'symbol' : 'symbols'}`}
            </span>
            {pausedChip}
          </header>
        )}
        empty={<EmptyState>{EMPTY[table]}</EmptyState>}
        onMenu={setMenu}
      />
      {menu && (
        <Suspense fallback={null}>
          <RowMenu
            menu={menu}
            isWatched
            isOpen={props.openRows.open.has(menu.id)}
            onToggle={props.openRows.toggle}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
    </PageTable>
  );
}
