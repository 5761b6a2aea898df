import { minuteText } from '#lib/text.ts';
import { type ReactNode, useMemo, useState } from 'react';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { DASH, formatNumber, formatShortDate } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { SortState, TableColumn } from '#ui/table/tableModel.ts';
import { messageOf } from '#web/api/client.ts';
import { marketNow } from '#web/live/market.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { showBriefly } from '#web/shared/saved.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { openPastChart } from '#web/windows/openChart.ts';
import { ENTRY_SORTS } from '../../rules/entryRows.ts';
import { percentText, toneOf } from '../../rules/oddsText.ts';
import { fetchCsv, fetchEntries, type OddsEntry } from '../oddsRequests.ts';

/** Entries per request, which the server limits, and per click. */
const PAGE = 200;
const STEP = 1000;

type Row = OddsEntry & { id: string };

const idOf = ({ id }: Row): string => id;

const column = (
  part: Pick<TableColumn<Row>, 'id' | 'label' | 'width' | 'read' | 'text'> & Partial<TableColumn<Row>>,
): TableColumn<Row> => ({ numeric: true, maxWidth: part.width + 60, flashes: false, ...part });

const epochMs = (date: string, minute: number): number =>
  fromSydney(date, Math.floor(minute / 60), minute % 60);

const boughtAt = ({ date, fillMinute, minute }: Row): number => epochMs(date, fillMinute ?? minute);
const soldAt = ({ date, exitDate, exitMinute }: Row): number | null =>
  exitMinute === null ? null : epochMs(exitDate ?? date, exitMinute);

const soldText = ({ date, exitDate, exitMinute }: Row): string => {
  if (exitMinute === null) return DASH;
  const day = exitDate === null || exitDate === date ? '' : `${formatShortDate(exitDate, date)} `;
  return day + minuteText(exitMinute);
};

const COLUMNS: readonly TableColumn<Row>[] = [
  column({
    id: 'symbol',
    label: 'Code',
    numeric: false,
    width: 64,
    read: ({ symbol }) => symbol,
    text: ({ symbol }) => symbol,
    pinned: true,
    isRowHeader: true,
  }),
  column({
    id: 'result',
    label: 'Result',
    title: 'Percent after costs',
    width: 78,
    read: ({ result }) => result,
    text: ({ result }) => percentText(result),
    tone: ({ result }) => toneOf(result),
  }),
  column({
    id: 'date',
    label: 'Day',
    width: 76,
    read: boughtAt,
    text: ({ date }) => formatShortDate(date, date),
    isTime: true,
  }),
  column({
    id: 'minute',
    label: 'Entered',
    title: 'When the stock began to match',
    width: 68,
    read: ({ minute }) => minute,
    text: ({ minute }) => minuteText(minute),
  }),
  column({
    id: 'fill',
    label: 'Bought at',
    width: 78,
    read: ({ fill }) => fill,
    text: ({ fill }) => priceText(fill),
  }),
  column({ id: 'sold', label: 'Sold', width: 96, read: soldAt, text: soldText, isTime: true }),
  column({
    id: 'exit',
    label: 'Sold at',
    width: 78,
    read: ({ exit }) => exit,
    text: ({ exit }) => priceText(exit),
  }),
  column({
    id: 'hasNews',
    label: 'News',
    numeric: false,
    width: 64,
    read: ({ hasNews }) => (hasNews ? 'Yes' : ''),
    text: ({ hasNews }) => (hasNews ? 'Yes' : DASH),
  }),
  column({
    id: 'name',
    label: 'Company',
    numeric: false,
    isLong: true,
    width: 140,
    maxWidth: 320,
    read: ({ name }) => name,
    text: ({ name }) => name ?? '',
  }),
];

type EntriesProps = {
  /** The finished run. */
  id: string;
  /** Runs again, because a run is forgotten after some minutes. */
  onAgain(): void;
};

/** The entries with a result. A row opens the stock's chart at its minute. */
export function Entries({ id, onAgain }: EntriesProps): ReactNode {
  const [sort, setSort] = useState<SortState>({ id: 'date', desc: true });
  const [shown, setShown] = useState(STEP);
  const of = `${id} ${shown} ${sort.id} ${sort.desc}`;
  const { data, isCurrent, error } = useLoaded(
    (signal) => fetchAll(id, { count: shown, sort }, signal),
    'The entries could not be loaded.',
    { of },
  );
  const rows = useMemo(
    () =>
      data?.entries.map((entry) => ({ ...entry, id: `${entry.symbol} ${entry.date} ${entry.minute}` })) ?? [],
    [data],
  );
  const total = data?.total ?? 0;
  const open = (rowId: string): void => {
    const row = rows.find((one) => one.id === rowId);
    if (row) openPastChart(row.symbol, { at: boughtAt(row), until: soldAt(row) });
  };
  if (error !== null) {
    return <Banner action={<Button onClick={onAgain}>Run again</Button>}>{error}</Banner>;
  }
  return (
    <section className="odds-entries stack gap-2" aria-label="Entries">
      <DataTable
        label="Entries"
        columns={COLUMNS}
        rows={rows}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        resetKey={of}
        epoch={of}
        onOpen={open}
        loading={data === null}
        empty={<EmptyState>No entries with a result.</EmptyState>}
        heading={() => (
          <div className="row">
            <h2>Entries</h2>
            <p className="muted small">
              {rows.length < total && `First ${formatNumber(rows.length, 0)} of ${formatNumber(total, 0)}. `}A
              row opens the chart at its minute.
            </p>
            <span className="push" />
            {rows.length < total && (
              <Button disabled={!isCurrent} onClick={() => setShown(shown + STEP)}>
                Show {formatNumber(STEP, 0)} more
              </Button>
            )}
            <Button onClick={() => void saveCsv(id)}>Save as CSV</Button>
          </div>
        )}
      />
    </section>
  );
}

/** The first entries in an order. The first page says how many there are. */
async function fetchAll(
  id: string,
  { count, sort }: { count: number; sort: SortState },
  signal: AbortSignal,
) {
  const by = ENTRY_SORTS.find((one) => one === sort.id) ?? 'date';
  const pageAt = (offset: number) =>
    fetchEntries(id, { offset, limit: PAGE, sort: by, order: sort.desc ? 'desc' : 'asc' }, signal);
  const first = await pageAt(0);
  const rest = Math.ceil(Math.min(count, first.total) / PAGE) - 1;
  const pages = await Promise.all(
    Array.from({ length: Math.max(0, rest) }, (_, page) => pageAt((page + 1) * PAGE)),
  );
  return { total: first.total, entries: [first, ...pages].flatMap(({ entries }) => entries ?? []) };
}

async function saveCsv(id: string): Promise<void> {
  try {
    saveFile(await fetchCsv(id), `bellbird-odds-${sydneyDate(marketNow())}.csv`);
  } catch (problem) {
    showBriefly(messageOf(problem, 'The entries could not be saved. Run the odds again.'));
  }
}
