import { type ReactNode, useMemo, useState } from 'react';
import { formatNumber, formatTime } from '#texts/format.ts';
import type { QuoteLink } from '#market/rules/quoteSite.ts';
import { defaultColumns } from '#market/scanners/rules/columns.ts';
import { type ScannerFilters, passesFilters } from '#market/scanners/rules/filters.ts';
import type { ScannerRow } from '#market/scanners/rules/membership.ts';
import { SCANNERS, type Sort } from '#market/scanners/rules/scanners.ts';
import {
  scannerOf,
  type TapeTable as Table,
  tapeTitle,
  TAPE_FIELDS,
  tapeStock,
} from '#market/scanners/rules/tapeTables.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import { tableColumns } from '../tableColumns.tsx';
import { marketEra } from '#web/live/marketEra.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';
import { changesAnswer, daysAnswer, tapeAnswer, type TapeRows } from '../../answers/tape.ts';
import { readerOf, request } from '#web/api/client.ts';
import type { Stock } from '#market/rules/stock.ts';

export const loadDays = () => request('GET /api/data/tape/days', { read: readerOf(daysAnswer) });

/** @param time HH:MM, Sydney */
const loadTape = (table: Table, date: string, time: string) =>
  request('GET /api/data/tape', { query: { table, date, time }, read: readerOf(tapeAnswer) });

/** The changes of the minutes before a moment; null for now. */
export const loadChanges = (table: Table, moment: { date: string; time: string } | null) =>
  request('GET /api/data/tape/changes', { query: { table, ...moment }, read: readerOf(changesAnswer) });

/** Delay before a request while the slider moves. */
export const HAND_PAUSE_MS = 120;

/** In the order of the answer; null for hidden stocks. */
export function stocksOf(table: Table, rows: TapeRows, filters: ScannerFilters): (Stock | null)[] {
  // The tape contains no news.
  const allowed = { ...filters, newsOnly: false, sensitiveOnly: undefined };
  return rows.codes.map((code, index) => {
    const name = { code, name: rows.names[index] ?? code, isFund: rows.funds[index] ?? false };
    const values = TAPE_FIELDS[table].map((field) => rows.values[field]?.[index] ?? null);
    const stock = tapeStock(table, name, values);
    return code !== '' && passesFilters(stock, allowed, '') ? stock : null;
  });
}

type TapeTableProps = {
  table: Table;
  date: string;
  /** Epoch ms. */
  time: number;
  filters: ScannerFilters;
  isNarrow: boolean;
  quoteLink: QuoteLink;
};

const codeOf = (row: ScannerRow): string => row.code;

/** The default columns, without flashes: from minute to minute everything differs. */
function useStillColumns({ table, isNarrow, quoteLink }: TapeTableProps) {
  const scanner = scannerOf(table);
  return useMemo(
    () =>
      tableColumns({ scanner, columns: defaultColumns(scanner), isNarrow, quoteLink, today: '' }).map(
        (column) => ({ ...column, flashes: false }),
      ),
    [scanner, isNarrow, quoteLink],
  );
}

/** @param asked Sydney time, HH:MM */
function useTapeRows({ table, date, filters }: TapeTableProps, asked: string) {
  const { data, ...loading } = useLoaded(
    () => loadTape(table, date, asked),
    'The tape could not be loaded. Try again.',
    { of: `${table} ${date} ${asked} ${marketEra.value ?? ''}`, pauseMs: HAND_PAUSE_MS },
  );
  const rows = useMemo(
    () => (data === null ? [] : stocksOf(table, data.rows, filters).filter((row) => row !== null)),
    [table, data, filters],
  );
  return { ...loading, data, rows };
}

export function TapeTable(props: TapeTableProps): ReactNode {
  const { table, date, time, filters } = props;
  const asked = formatTime(time);
  const { data, isCurrent, error, reload, rows } = useTapeRows(props, asked);
  const [sort, setSort] = useState<Sort>(SCANNERS[scannerOf(table)].defaultSort);
  const columns = useStillColumns(props);
  const recorded = data?.time ?? null;
  const title = `${tapeTitle(table)} at ${asked}`;
  if (error !== null) return <Failure onRetry={() => void reload()}>{error}</Failure>;
  return (
    <section className="tape-table stack gap-0" aria-label={title} aria-busy={!isCurrent}>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        rowId={codeOf}
        sort={sort}
        onSort={setSort}
        resetKey={`${date} ${recorded} ${JSON.stringify(filters)}`}
        epoch={`${date} ${recorded}`}
        loading={data === null}
        isPrimary={table !== 'preOpenSnapshot'}
        heading={({ newestRows }) => (
          <TableHead
            table={table}
            count={data === null ? null : rows.length}
            asked={asked}
            shown={isCurrent && recorded !== null ? formatTime(recorded) : asked}
          >
            <TakeButton label={title} columns={columns} rows={newestRows} />
          </TableHead>
        )}
        empty={<EmptyState>{emptyText(recorded, asked, data?.rows.codes.length ?? 0)}</EmptyState>}
      />
    </section>
  );
}

const Failure = ({ children, onRetry }: { children: string; onRetry(): void }): ReactNode => (
  <Banner variant="error" action={<Button onClick={onRetry}>Retry</Button>}>
    {children}
  </Banner>
);

type TableHeadProps = {
  table: Table;
  /** Number of rows; null before they are known. */
  count: number | null;
  /** Requested and shown minute, HH:MM. */
  asked: string;
  shown: string;
  children: ReactNode;
};

function TableHead({ table, count, asked, shown, children }: TableHeadProps): ReactNode {
  const Title = table === 'preOpenSnapshot' ? 'h2' : 'h1';
  return (
    <header className="tape-table-head row muted table-text">
      <Title>{tapeTitle(table)}</Title>
      <span>{count === null ? 'Loading…' : countText(count)}</span>
      {count !== null && children}
      {shown !== asked && (
        <span>
          Nothing was recorded at {asked}: this is {shown}
        </span>
      )}
    </header>
  );
}

const countText = (count: number): string => `${formatNumber(count, 0)} ${count === 1 ? 'stock' : 'stocks'}`;

function emptyText(recorded: number | null, asked: string, kept: number): string {
  if (recorded === null)
    return `Nothing was recorded at ${asked}. Choose a time on the bright part of the line.`;
  return kept > 0
    ? `The filters hide all ${countText(kept)} of that minute.`
    : 'No stock was in this scanner at that minute.';
}
