import { type ReactNode, useCallback, useState } from 'react';
import { DASH } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { RowDetail, SortState, TableColumn } from '#ui/table/types.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { type Head, type LedgerRow, MAX_PAGE } from '#subjects/calls/rules/ledger/line.ts';
import { type LineWords, lineWords } from '#subjects/calls/rules/ledger/words.ts';
import { CallsPanel, CallsPanelHead } from '../parts/CallsPanel.tsx';
import { fetchLines } from './api.ts';
import { LineDetail } from './LineDetail.tsx';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

type LineRow = LineWords & { row: LedgerRow };

const FAILED = 'These lines could not be loaded. Try again.';
const TITLE = 'Newest lines';
/** So many are shown, and at each press so many more. */
const PIECE = 100;

const COLUMNS: readonly TableColumn<LineRow>[] = [
  {
    id: 'number',
    label: 'Line',
    numeric: true,
    width: 72,
    maxWidth: 100,
    pinned: true,
    isRowHeader: true,
    read: ({ number }) => number,
    text: ({ number }) => number.toLocaleString('en-AU'),
  },
  {
    id: 'time',
    label: 'Time',
    numeric: true,
    width: 112,
    maxWidth: 150,
    title: 'When the server wrote the line, by the clock of the call’s market.',
    isTime: true,
    read: ({ time }) => time,
    text: ({ time }) => formatMoment(time),
  },
  {
    id: 'deed',
    label: 'What',
    numeric: false,
    width: 96,
    maxWidth: 140,
    read: ({ title }) => title,
    text: ({ title }) => title,
  },
  {
    id: 'text',
    label: 'In words',
    numeric: false,
    width: 300,
    maxWidth: 900,
    isLong: true,
    read: ({ text }) => text,
    text: ({ text }) => text,
  },
];

/** On a phone what happened comes before when. */
const PHONE_ORDER = ['number', 'deed', 'text', 'time'];
const PHONE_COLUMNS = COLUMNS.toSorted((a, b) => PHONE_ORDER.indexOf(a.id) - PHONE_ORDER.indexOf(b.id));

const DETAIL: RowDetail<LineRow> = {
  heading: 'Details',
  opensByClick: true,
  label: ({ number }) => `Details of line ${number}`,
  render: ({ row, number }) => <LineDetail row={row} number={number} />,
};

const idOf = ({ number }: LineRow): string => String(number);

/** Lines behind one. @param count how many at most; @param head hash of the newest: another one asks again */
const useLines = (after: number, count: number, head: string) =>
  useLoaded(
    useCallback(async () => {
      const { lines } = await fetchLines(after, Math.min(count, MAX_SHOWN));
      return lines.map((row, index): LineRow => ({ ...lineWords(row, after + index + 1), row }));
    }, [after, count]),
    FAILED,
    { again: head },
  );

/** The newest lines in words; each opens to the text that was hashed. */
export function LinesTable({ head }: { head: Head }): ReactNode {
  const [shown, setShown] = useState(PIECE);
  const after = Math.max(0, head.number - shown);
  const { data, error, isLoading, reload } = useLines(after, shown, head.hash);
  const [sort, setSort] = useState<SortState>({ id: 'number', desc: true });
  const isPhone = useWidthQuery('phone');
  const hasMore = after > 0 && shown < MAX_SHOWN;
  return (
    <CallsPanel title={TITLE} className="ledger-lines" hasOwnHead>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
      )}
      <DataTable
        label={TITLE}
        columns={isPhone ? PHONE_COLUMNS : COLUMNS}
        rows={data ?? NO_ROWS}
        rowId={idOf}
        sort={sort}
        onSort={setSort}
        detail={DETAIL}
        resetKey={String(shown)}
        loading={data === null && error === null}
        empty={<p className="muted">{data === null ? FAILED : DASH}</p>}
        isPrimary
        heading={({ newestRows, pausedChip }) => (
          <CallsPanelHead title={TITLE}>
            <TakeButton label={TITLE} columns={COLUMNS} rows={newestRows} />
            {pausedChip}
          </CallsPanelHead>
        )}
      />
      {hasMore && <MoreLines isLoading={isLoading} onMore={() => setShown(shown + PIECE)} />}
    </CallsPanel>
  );
}

const MoreLines = ({ isLoading, onMore }: { isLoading: boolean; onMore(): void }): ReactNode => (
  <div>
    <Button aria-disabled={isLoading || undefined} onClick={() => isLoading || onMore()}>
      {isLoading ? 'Loading…' : 'Show older lines'}
    </Button>
  </div>
);

const NO_ROWS: readonly LineRow[] = [];
/** Whoever looks further back takes the file. */
const MAX_SHOWN = MAX_PAGE;
