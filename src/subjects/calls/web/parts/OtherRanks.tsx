import { useState } from 'react';
import { alignPoint, formatRank, formatResult, sourceLabel } from '#subjects/calls/rules/callFormat.ts';
import { formatPocketed } from '#subjects/calls/rules/pocketed.ts';
import { MIN_RANK_DAYS } from '#subjects/calls/rules/rankBounds.ts';
import { DASH, formatNumber } from '#texts/format.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { ExportedColumn, SortState, TableColumn } from '#ui/table/tableModel.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';
import { board, NOT_LOADED, type Submitter } from '../state.ts';
import { CallsPanel, CallsPanelHead, directionTone, RecordLink } from './pageParts.tsx';

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
  text: ({ metrics }) => alignPoint(formatPocketed(metrics[id]), 2),
  tone: ({ metrics }) => directionTone(metrics[id], 2),
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

/** The specification's columns, then the result, its cases and the rank. Everything else is on the submitter's page. */
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
    ...count('averageVerified', 'Result'),
    title: 'Mean verified result, from the first trade after posting to the first one after the end.',
    width: 84,
    text: ({ metrics }) => formatResult(metrics.averageVerified),
    tone: ({ metrics }) => directionTone(metrics.averageVerified, 1),
  },
  {
    ...count('verified', 'Cases'),
    title: 'Results verified by recorded prices, including filled open calls.',
  },
  {
    ...count('rank', 'Rank'),
    title: `Needs ${MIN_RANK_DAYS} days with results and a lower bound above zero.`,
    width: 104,
    read: ({ metrics }) => rankOrder(metrics),
    exported: [
      { label: 'Rank', value: ({ metrics }) => metrics.rank },
      { label: 'Provisional rank', value: ({ metrics }) => metrics.provisionalRank },
    ],
    text: ({ metrics }) => ((metrics.rank ?? metrics.provisionalRank) === null ? DASH : formatRank(metrics)),
  },
];

/** Copied and saved with the table. */
const SUBMITTER_EXPORT: readonly (TableColumn<Submitter> | ExportedColumn<Submitter>)[] = [
  ...SUBMITTER_COLUMNS,
  { label: 'Days', value: ({ metrics }) => metrics.days },
  { label: 'Avg vs market', value: ({ metrics }) => metrics.averageAgainstMarket },
];

const nameOf = (entry: Submitter): string => entry.submitter.display;

type SubmitterTableProps = { title: string; rows: readonly Submitter[] };

export function SubmitterTable({ title, rows }: SubmitterTableProps) {
  const { data, isLoading, error } = board.value;
  const [sort, setSort] = useState<SortState>({ id: 'rank', desc: false });
  return (
    <CallsPanel title={title} hasOwnHead className="submitter-table">
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
            {pausedChip}
            <ExportButton label={title} columns={SUBMITTER_EXPORT} rows={newestRows} />
          </CallsPanelHead>
        )}
      />
    </CallsPanel>
  );
}

/** One table per inactive source, because results of different sources cannot be compared. */
export function OtherRanks() {
  const [isOpen, setOpen] = useState(false);
  const others = board.value.data?.otherLeaderboards ?? [];
  if (others.length === 0) return null;
  return (
    <Disclosure label={`Other sources (${others.length})`} isOpen={isOpen} onToggle={setOpen}>
      {isOpen &&
        others.map(({ source, leaderboard }) => (
          <SubmitterTable key={source} title={`Other Source: ${sourceLabel(source)}`} rows={leaderboard} />
        ))}
    </Disclosure>
  );
}
