import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { formatNumber, formatTime } from '../../../../texts/format.ts';
import type { QuoteLink } from '../../../../market/rules/quoteLink.ts';
import { defaultColumns } from '../../rules/columns.ts';
import type { ScannerFilters } from '../../rules/filters.ts';
import type { ScannerRow } from '../../rules/membership.ts';
import { SCANNERS, type Sort } from '../../rules/scanners.ts';
import { scannerOf, type TapeTable as Table, tapeTitle } from '../../rules/tape/tapeTables.ts';
import { Banner } from '../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../web/ui/Button.tsx';
import { EmptyState } from '../../../../../web/ui/EmptyState.tsx';
import { DataTable } from '../../../../../web/ui/table/DataTable.tsx';
import { tableColumns } from '../tableColumns.tsx';
import { loadTape } from './api.ts';
import './TapeTable.css';
import { stocksOf } from './tapeRows.ts';
import { useDebouncedFetch } from './useDebouncedFetch.ts';

export type TapeTableProps = {
  table: Table;
  date: string;
  /** Epoch ms. */
  time: number;
  filters: ScannerFilters;
  isNarrow: boolean;
  quoteLink: QuoteLink;
};

const codeOf = (row: ScannerRow): string => row.code;

/** One table of a scanner as it stood at a minute. Nothing in it moves. */
export function TapeTable(props: TapeTableProps): ReactNode {
  const { table, date, time, filters, isNarrow, quoteLink } = props;
  const scanner = scannerOf(table);
  const asked = formatTime(time);
  const load = useCallback(() => loadTape(table, date, asked), [table, date, asked]);
  const { data, isCurrent, error, retry } = useDebouncedFetch(
    `${table} ${date} ${asked}`,
    load,
    'The tape could not be loaded. Try again.',
  );
  const [sort, setSort] = useState<Sort>(SCANNERS[scanner].defaultSort);
  const columns = useMemo(
    () =>
      tableColumns({ scanner, columns: defaultColumns(scanner), isNarrow, quoteLink, today: '' }).map(
        (column) => ({
          ...column,
          // From minute to minute all is other: nothing has changed.
          flashes: false,
        }),
      ),
    [scanner, isNarrow, quoteLink],
  );
  const rows = useMemo(
    () => (data === null ? [] : stocksOf(table, data.rows, filters).filter((row) => row !== null)),
    [table, data, filters],
  );
  const recorded = data?.time ?? null;
  const Title = table === 'preOpenSnapshot' ? 'h2' : 'h1';
  if (error !== null) {
    return (
      <Banner variant="error" action={<Button onClick={retry}>Retry</Button>}>
        {error}
      </Banner>
    );
  }
  return (
    <section className="tape-table" aria-label={`${tapeTitle(table)} at ${asked}`} aria-busy={!isCurrent}>
      <DataTable
        label={`${tapeTitle(table)} at ${asked}`}
        columns={columns}
        rows={rows}
        rowId={codeOf}
        sort={sort}
        onSort={setSort}
        resetKey={`${date} ${recorded} ${JSON.stringify(filters)}`}
        epoch={`${date} ${recorded}`}
        loading={data === null}
        isPrimary={table !== 'preOpenSnapshot'}
        heading={() => (
          <header className="tape-table-head">
            <Title>{tapeTitle(table)}</Title>
            <span>{data === null ? 'Loading…' : countText(rows.length)}</span>
            {isCurrent && recorded !== null && formatTime(recorded) !== asked && (
              <span>
                Nothing was recorded at {asked}: this is {formatTime(recorded)}
              </span>
            )}
          </header>
        )}
        empty={<EmptyState>{emptyText(recorded, asked, data?.rows.codes.length ?? 0)}</EmptyState>}
      />
    </section>
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
