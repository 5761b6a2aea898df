import type { ReactNode } from 'react';
import {
  alignPoint,
  formatCallPrice,
  formatReached,
  formatResult,
  formatStatus,
  formatStop,
  formatType,
  heldDays,
  sourceLabel,
} from '#subjects/calls/rules/callFormat.ts';
import { isLive } from '#subjects/calls/rules/callRules.ts';
import { type Status, statusOf } from '#subjects/calls/rules/callStatus.ts';
import { pocketedText, resultText } from '#subjects/calls/rules/resultText.ts';
import { formatMoment } from '#texts/format.ts';
import { Pill, type PillVariant } from '#ui/Pill.tsx';
import type { CellTone, ExportedColumn, TableColumn } from '#ui/table/tableModel.ts';
import { settings } from '#web/shared/settings.ts';
import { askToClose, priceDecimals, type RecentRow } from '../state.ts';
import { directionTone, RecordLink } from './pageParts.tsx';

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

const status = ({ call, last }: RecentRow): Status | null => statusOf(call, last);

/** Calls in review or rejected do not count, so they have no direction. */
const toneOf = ({ call }: RecentRow, value: number | null, decimals: number): CellTone =>
  call.isInReview || call.adminStatus === 'rejected' ? null : directionTone(value, decimals);

const figure = (
  id: string,
  label: string,
  read: (row: RecentRow) => number | null,
  text: (value: number | null) => string,
): TableColumn<RecentRow> => ({
  id,
  label,
  numeric: true,
  width: 68,
  maxWidth: 110,
  read,
  text: (row) => text(read(row)),
});

const alignedPrice = (price: number | null): string =>
  alignPoint(formatCallPrice(price), priceDecimals.peek());

const moment = (
  id: string,
  label: string,
  read: (row: RecentRow) => number | null,
): TableColumn<RecentRow> => ({
  ...figure(id, label, read, formatMoment),
  width: 104,
  maxWidth: 140,
  isTime: true,
});

const word = (
  id: string,
  label: string,
  width: number,
  read: (row: RecentRow) => string,
): TableColumn<RecentRow> => ({ id, label, numeric: false, width, maxWidth: width + 60, read, text: read });

export const isOwnLive = ({ status: now, submittedBy }: RecentRow['call']): boolean =>
  isLive(now) && submittedBy.display === settings.value?.username;

function ClosedCell({ call, inTabOrder }: { call: RecentRow['call']; inTabOrder: boolean }): ReactNode {
  if (!isOwnLive(call)) return formatMoment(timeOf(call.closedAt));
  return (
    <button
      type="button"
      className="tool"
      tabIndex={inTabOrder ? 0 : -1}
      aria-label={`Close ${call.symbol}`}
      onClick={() => askToClose(call.publicId)}
    >
      Close
    </button>
  );
}

const verifiedOf = ({ call }: RecentRow): number | null => call.verified?.percent ?? null;
/** The running result of an open call, otherwise the verified one. */
const resultOf = (row: RecentRow): number | null => status(row)?.percent ?? verifiedOf(row);

/** The specification's columns, then the result. Everything else is in the opened row. */
export const RECENT_COLUMNS: readonly TableColumn<RecentRow>[] = [
  { ...word('symbol', 'Symbol', 60, ({ call }) => call.symbol), pinned: true, isRowHeader: true },
  word('type', 'Type', 62, ({ call }) => formatType(call)),
  {
    ...word('status', 'Status', 76, ({ call }) => formatStatus(call.status)),
    // Room for two pills if there is any; more are truncated with an ellipsis.
    maxWidth: 240,
    isLong: true,
    render: ({ call }) => <StatusPills call={call} />,
  },
  figure('last', 'Last', ({ last }) => last, alignedPrice),
  figure('entry', 'Entry', ({ call }) => call.entryPrice, alignedPrice),
  figure('target', 'Target', ({ call }) => call.targetPrice, alignedPrice),
  {
    ...figure('stop', 'Stop', ({ call }) => call.stopLoss, alignedPrice),
    // The stop is a number whose type says what it is: a price, or a distance in dollars or percent.
    exported: [
      { label: 'Stop', value: ({ call }) => call.stopLoss },
      { label: 'Stop type', value: ({ call }) => call.stopLossType },
    ],
    text: ({ call }) => alignPoint(formatStop(call.stopLossType, call.stopLoss), priceDecimals.peek()),
  },
  {
    ...figure('pocketed', 'Pocketed', ({ call }) => call.pocketedValue, String),
    width: 96,
    // Administrators see figures in review with a mark.
    maxWidth: 200,
    text: ({ call }) => alignPoint(pocketedText(call), 2),
    tone: (row) => toneOf(row, row.call.pocketedValue, 2),
    exported: [
      { label: 'Pocketed', value: ({ call }) => (call.isInReview ? pocketedText(call) : call.pocketedValue) },
    ],
  },
  moment('submitted', 'Submitted', ({ call }) => timeOf(call.submittedAt)),
  {
    ...moment('closed', 'Closed', ({ call }) => timeOf(call.closedAt)),
    render: ({ call }, inTabOrder) => <ClosedCell call={call} inTabOrder={inTabOrder} />,
  },
  {
    ...word('submitter', 'Submitter', 120, ({ call }) => call.submittedBy.display),
    render: ({ call }, inTabOrder) => <RecordLink name={call.submittedBy.display} inTabOrder={inTabOrder} />,
  },
  {
    ...figure('result', 'Result', resultOf, formatResult),
    title: 'At recorded prices, from the first trade after posting to the end, or to now.',
    width: 112,
    maxWidth: 140,
    tone: (row) => toneOf(row, resultOf(row), 1),
    text: (row) =>
      status(row)?.percent == null || row.call.isInReview
        ? resultText(row.call, row.last)
        : formatResult(resultOf(row)),
    exported: [
      {
        label: 'Verified',
        value: (row) => (row.call.isInReview ? resultText(row.call, null) : verifiedOf(row)),
      },
    ],
  },
];

/** Copied and saved with the table. */
export const RECENT_EXPORT: readonly (TableColumn<RecentRow> | ExportedColumn<RecentRow>)[] = [
  ...RECENT_COLUMNS,
  { label: 'Source', value: ({ call }) => sourceLabel(call.source) },
  { label: 'Rationale', value: ({ call }) => call.rationale },
  { label: 'Best', value: ({ call }) => call.verified?.bestPercent ?? null },
  { label: 'Worst', value: ({ call }) => call.verified?.worstPercent ?? null },
  {
    label: 'Held',
    value: ({ call }) => (call.verified === null ? null : (heldDays(call) ?? call.verified.daysOpen)),
  },
  { label: 'Reached', value: ({ call }) => formatReached(call) },
];
