import { board, NOT_LOADED, type Submitter } from '../state.ts';
import { directionTone, CallsPanel, CallsPanelHead, RecordLink } from './pageParts.tsx';
import { sourceLabel } from '../../rules/callFormat.ts';
import { type CSSProperties, useState } from 'react';
import { DataTable } from '#ui/table/DataTable.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Pill } from '#ui/Pill.tsx';
import type { SortState, TableColumn } from '#ui/table/tableModel.ts';
import { formatRank, formatResult } from '#subjects/calls/rules/callFormat.ts';
import { formatPocketed } from '#subjects/calls/rules/pocketed.ts';
import { MIN_RANK_DAYS } from '#subjects/calls/rules/rankBounds.ts';
import { formatNumber } from '#texts/format.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';

type Metrics = Submitter['metrics'];

const count = (id: keyof Metrics, label: string): TableColumn<Submitter> => ({
  id,
  label,
  numeric: true,
  width: 68,
  maxWidth: 104,
  read: ({ metrics }) => metrics[id],
  text: ({ metrics }) => formatNumber(metrics[id], 0),
});

const money = (id: keyof Metrics, label: string): TableColumn<Submitter> => ({
  ...count(id, label),
  width: 108,
  maxWidth: 150,
  text: ({ metrics }) => formatPocketed(metrics[id]),
  tone: ({ metrics }) => directionTone(metrics[id], 2),
});

const percent = (id: keyof Metrics, label: string, title: string): TableColumn<Submitter> => ({
  ...count(id, label),
  title,
  width: 88,
  text: ({ metrics }) => formatResult(metrics[id]),
  tone: ({ metrics }) => directionTone(metrics[id], 1),
});

/** Sort offsets above any rank and any mean. */
const UNRANKED = 1e6;
const TOO_FEW = 1e5;
const NO_RESULT = 1e4;

/**
 * Sorts like the server: ranks, provisional ranks, submitters with enough days, others; the last two groups
 * by mean.
 */
export const rankOrder = ({ rank, provisionalRank, days, averageAgainstMarket }: Metrics): number =>
  rank ??
  provisionalRank ??
  UNRANKED +
    ((days ?? 0) >= MIN_RANK_DAYS ? 0 : TOO_FEW) +
    (averageAgainstMarket === null ? NO_RESULT : -averageAgainstMarket);

/** The specification's columns, then results from recorded prices. */
const SUBMITTER_COLUMNS: readonly TableColumn<Submitter>[] = [
  {
    id: 'submitter',
    label: 'Submitter',
    numeric: false,
    width: 140,
    maxWidth: 260,
    read: ({ submitter }) => submitter.display.toLocaleLowerCase('en-AU'),
    text: ({ submitter }) => submitter.display,
    render: ({ submitter }, inTabOrder) => <RecordLink name={submitter.display} inTabOrder={inTabOrder} />,
    pinned: true,
    isRowHeader: true,
  },
  count('total', 'Total'),
  count('pending', 'Pending'),
  count('open', 'Open'),
  count('closed', 'Closed'),
  { ...count('cancelled', 'Cancelled'), width: 84 },
  money('pocketedValue', 'Pocketed $'),
  money('averagePocketed', 'Avg Pocketed'),
  {
    ...count('rank', 'Rank'),
    title: `Needs ${MIN_RANK_DAYS} days with results and a lower bound above zero.`,
    width: 190,
    maxWidth: 220,
    read: ({ metrics }) => rankOrder(metrics),
    exported: [
      { label: 'Rank', value: ({ metrics }) => metrics.rank },
      { label: 'Provisional rank', value: ({ metrics }) => metrics.provisionalRank },
    ],
    text: ({ metrics }) => formatRank(metrics),
  },
  {
    ...count('days', 'Days'),
    title: 'Days with results: calls entered on one day count as one sample.',
  },
  {
    ...count('verified', 'Verified'),
    title: 'Results verified by recorded prices, including filled open calls.',
    width: 76,
  },
  percent(
    'averageVerified',
    'Avg result',
    'Mean verified result, from the first trade after posting to the first one after the end.',
  ),
  {
    ...percent(
      'averageAgainstMarket',
      'Avg vs market',
      'Mean verified result minus the market’s move over the same time, if known.',
    ),
    width: 112,
  },
];

const MIN_ROWS_IN_VIEW = 3;
const MAX_ROWS_IN_VIEW = 8;

const nameOf = (entry: Submitter): string => entry.submitter.display;

type SubmitterTableProps = {
  title: string;
  /** Price source of the calls; null if unknown. */
  source: string | null;
  rows: readonly Submitter[];
};

export function SubmitterTable({ title, source, rows }: SubmitterTableProps) {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'rank', desc: false });
  // Reserves space before the rows are known, so that what follows seldom moves.
  const wanted = data === null ? MAX_ROWS_IN_VIEW : rows.length;
  const rowsInView = Math.min(Math.max(wanted, MIN_ROWS_IN_VIEW), MAX_ROWS_IN_VIEW);
  return (
    <CallsPanel
      title={title}
      hasOwnHead
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
        heading={({ newestRows, pausedChip }) => (
          <CallsPanelHead title={title}>
            {source !== null && <Pill>{sourceLabel(source)}</Pill>}
            <ExportButton label={title} columns={SUBMITTER_COLUMNS} rows={newestRows} />
            {pausedChip}
          </CallsPanelHead>
        )}
      />
    </CallsPanel>
  );
}

/** One table per inactive source, because results of different sources cannot be compared. */
export function OtherRanks() {
  const others = board.value.data?.otherLeaderboards ?? [];
  return others.map(({ source, leaderboard }) => (
    <SubmitterTable
      key={source}
      title={`Other Source: ${sourceLabel(source)}`}
      source={null}
      rows={leaderboard}
    />
  ));
}
