import type { ReactNode } from 'react';
import {
  formatCallPrice,
  formatHeld,
  formatReached,
  formatResult,
  formatStatus,
  formatStop,
  formatType,
  heldDays,
} from '#subjects/calls/rules/callFormat.ts';
import { formatMoment, DASH } from '#texts/format.ts';
import { pocketedText, resultText } from '#subjects/calls/rules/resultText.ts';
import {
  claimText,
  formatToStop,
  formatToTarget,
  type Status,
  statusOf,
} from '#subjects/calls/rules/callStatus.ts';
import { Pill, type PillVariant } from '#ui/Pill.tsx';
import type { CellTone, TableColumn } from '#ui/table/tableModel.ts';
import { correct, type RecentRow } from '../state.ts';
import { RecordLink, directionTone } from './pageParts.tsx';
import { sourceLabel } from '../../rules/callFormat.ts';

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

const STATUS_VARIANT: Readonly<Record<NonNullable<RecentRow['call']['status']>, PillVariant>> = {
  pending: 'warn',
  open: 'accent',
  closed: 'plain',
  cancelled: 'stale',
};

type Mark = { text: string; variant: PillVariant; why?: string | undefined };

/** The status, then its qualifiers, most important first. */
const marksOf = (call: RecentRow['call']): Mark[] => [
  { text: formatStatus(call.status), variant: call.status ? STATUS_VARIANT[call.status] : 'plain' },
  ...(call.adminStatus === 'rejected' ? [{ text: 'Rejected', variant: 'down' as const }] : []),
  ...(call.isInReview
    ? [{ text: 'In review', variant: 'warn' as const, why: call.reviewReason ?? undefined }]
    : []),
  ...(call.stopReached === null
    ? []
    : [
        {
          text: 'Stopped',
          variant: 'down' as const,
          why: `The stop was reached on ${formatMoment(call.stopReached.at)}: the verified result ended there.`,
        },
      ]),
  ...(call.corrections.length > 0 ? [{ text: 'Corrected', variant: 'accent' as const }] : []),
];

function StatusPills({ call }: Pick<RecentRow, 'call'>): ReactNode {
  const marks = marksOf(call);
  return (
    <span className="call-pills" title={marks.map(({ text }) => text).join(', ')}>
      {marks.map(({ text, variant, why }) => (
        <span key={text} title={why}>
          <Pill variant={variant}>{text}</Pill>
        </span>
      ))}
    </span>
  );
}

const figure =
  (format: (value: number | null) => string, width: number, maxWidth: number) =>
  (id: string, label: string, read: (row: RecentRow) => number | null): TableColumn<RecentRow> => ({
    id,
    label,
    numeric: true,
    width,
    maxWidth,
    read,
    text: (row) => format(read(row)),
  });

const price = figure(formatCallPrice, 72, 110);
const level = figure(formatCallPrice, 124, 150);
const withNote = (value: string, note: string): string => (note === '' ? value : `${value} (${note})`);
const status = ({ call, last }: RecentRow): Status | null => statusOf(call, last);

const moment = (
  id: string,
  label: string,
  read: (row: RecentRow) => number | null,
): TableColumn<RecentRow> => ({
  ...figure(formatMoment, 104, 140)(id, label, read),
  isTime: true,
});
const result = figure(formatResult, 74, 110);

const percent = (
  id: string,
  label: string,
  title: string,
  read: (row: RecentRow) => number | null,
): TableColumn<RecentRow> => ({
  ...result(id, label, read),
  title,
  tone: (row) => toneOf(row, read(row), 1),
});

/** Calls in review or rejected do not count, so they have no direction. */
const toneOf = ({ call }: RecentRow, value: number | null, decimals: number): CellTone =>
  call.isInReview || call.adminStatus === 'rejected' ? null : directionTone(value, decimals);

const heldOf = (call: RecentRow['call']): number | null =>
  call.verified === null ? null : (heldDays(call) ?? call.verified.daysOpen);

const word = (
  id: string,
  label: string,
  width: number,
  read: (row: RecentRow) => string,
): TableColumn<RecentRow> => ({ id, label, numeric: false, width, maxWidth: width + 60, read, text: read });

/** The specification's columns, then the verified result. */
export const RECENT_COLUMNS: readonly TableColumn<RecentRow>[] = [
  { ...word('symbol', 'Symbol', 76, ({ call }) => call.symbol), pinned: true, isRowHeader: true },
  word('type', 'Type', 66, ({ call }) => formatType(call.callType)),
  {
    // Wide enough for two pills; more are truncated with an ellipsis.
    ...word('status', 'Status', 172, ({ call }) => formatStatus(call.status)),
    isLong: true,
    render: ({ call }) => <StatusPills call={call} />,
  },
  price('last', 'Last', (row) => row.last),
  {
    ...level('entry', 'Entry', ({ call }) => call.entryPrice),
    width: 130,
    title: 'If the price at posting was more than 5 % away, it is shown too.',
    text: ({ call }) => withNote(formatCallPrice(call.entryPrice), claimText(call)),
  },
  {
    ...level('target', 'Target', ({ call }) => call.targetPrice),
    text: (row) =>
      withNote(formatCallPrice(row.call.targetPrice), formatToTarget(status(row)?.toTarget ?? null)),
  },
  {
    ...level('stop', 'Stop', ({ call }) => call.stopLoss),
    // The stop is a number whose type says what it is: a price, or a distance in dollars or percent.
    exported: [
      { label: 'Stop', value: ({ call }) => call.stopLoss },
      { label: 'Stop type', value: ({ call }) => call.stopLossType },
    ],
    text: (row) =>
      withNote(
        formatStop(row.call.stopLossType, row.call.stopLoss),
        row.call.stopReached === null ? formatToStop(status(row)?.toStop ?? null) : 'reached',
      ),
  },
  {
    ...price('pocketed', 'Pocketed', ({ call }) => call.pocketedValue),
    width: 96,
    text: ({ call }) => pocketedText(call),
    tone: (row) => toneOf(row, row.call.pocketedValue, 2),
    exported: [
      { label: 'Pocketed', value: ({ call }) => (call.isInReview ? pocketedText(call) : call.pocketedValue) },
    ],
  },
  moment('submitted', 'Submitted', ({ call }) => timeOf(call.submittedAt)),
  moment('closed', 'Closed', ({ call }) => timeOf(call.closedAt)),
  {
    ...word('submitter', 'Submitter', 120, ({ call }) => call.submittedBy.display),
    render: ({ call }, inTabOrder) => <RecordLink name={call.submittedBy.display} inTabOrder={inTabOrder} />,
  },
  {
    ...word('source', 'Source', 92, ({ call }) => sourceLabel(call.source)),
    title: 'The price source the call was made on; only its prices count.',
  },
  {
    ...percent(
      'verified',
      'Verified',
      'At recorded prices, from the first trade after posting to the first one after the end.',
      ({ call }) => call.verified?.percent ?? null,
    ),
    width: 128,
    maxWidth: 140,
    text: ({ call, last }) => resultText(call, last),
    exported: [
      {
        label: 'Verified',
        value: ({ call }) => (call.isInReview ? resultText(call, null) : (call.verified?.percent ?? null)),
      },
    ],
  },
  {
    ...word('rationale', 'Rationale', 140, ({ call }) => call.rationale ?? DASH),
    render: ({ call }) => <span className="ellipsis">{call.rationale ?? DASH}</span>,
    maxWidth: 260,
  },
  percent(
    'best',
    'Best',
    'Highest price since the fill, against the entry.',
    ({ call }) => call.verified?.bestPercent ?? null,
  ),
  percent(
    'worst',
    'Worst',
    'Lowest price since the fill, against the entry.',
    ({ call }) => call.verified?.worstPercent ?? null,
  ),
  {
    ...price('days', 'Held', ({ call }) => heldOf(call)),
    title: 'From the fill to the end, or to the stop.',
    width: 88,
    text: ({ call }) => formatHeld(heldOf(call)),
  },
  {
    ...word('reached', 'Reached', 150, ({ call }) => formatReached(call)),
    render: ({ call }) => <span title={formatReached(call)}>{formatReached(call)}</span>,
    title: 'When the price reached the target or the stop.',
  },
];

/** Wider, because administrators see figures in review with a mark. */
const MARKED_WIDTH = { width: 178, maxWidth: 210 };

export const ADMIN_COLUMNS: readonly TableColumn<RecentRow>[] = [
  ...RECENT_COLUMNS.map((column) =>
    column.id === 'pocketed' || column.id === 'verified' ? { ...column, ...MARKED_WIDTH } : column,
  ),
  {
    ...word('correct', 'Correct', 84, () => ''),
    exported: [],
    render: ({ call }, inTabOrder) => (
      <button
        type="button"
        className="tool"
        tabIndex={inTabOrder ? 0 : -1}
        aria-label={`Correct ${call.symbol} by ${call.submittedBy.display}`}
        onClick={() => correct(call)}
      >
        Correct
      </button>
    ),
  },
];
