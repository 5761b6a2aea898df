import {
  formatCallPrice,
  formatDays,
  formatMoment,
  formatPocketed,
  formatReached,
  formatResult,
  formatShare,
  formatStatus,
  formatStop,
  formatType,
} from '../../../src/domain/calls/callFormat.ts';
import { DASH, formatNumber } from '../../../src/domain/format.ts';
import { Pill, type PillLook } from '../../ui/Pill.tsx';
import type { CellTone, TableColumn } from '../../ui/table/types.ts';
import type { Submitter } from './readCalls.ts';
import type { RecentRow } from './state.ts';

/** The direction of a value as it is shown: what rounds to zero is flat. */
function toneOf(value: number | null, decimals: number): CellTone {
  if (value === null) return null;
  if (Math.abs(value) * 10 ** decimals < 0.5) return 'flat';
  return value > 0 ? 'up' : 'down';
}

const timeOf = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

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
  tone: ({ metrics }) => toneOf(metrics[id], 2),
});

const share = (id: keyof Metrics, label: string, title: string): TableColumn<Submitter> => ({
  ...count(id, label),
  title,
  width: 84,
  maxWidth: 120,
  text: ({ metrics }) => formatShare(metrics[id]),
});

/** Submitter Overview: the specification's columns, then what the recorded prices say. */
export const SUBMITTER_COLUMNS: readonly TableColumn<Submitter>[] = [
  {
    id: 'submitter',
    label: 'Submitter',
    numeric: false,
    width: 120,
    maxWidth: 260,
    read: ({ submitter }) => submitter.display.toLocaleLowerCase('en-AU'),
    text: ({ submitter }) => submitter.display,
    render: ({ submitter }) => <span title={submitter.display}>{submitter.display}</span>,
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
  share(
    'winRate',
    'Win rate',
    'Share of verified results that gained. Verified means: by the prices recorded here.',
  ),
  share('winRateLowerBound', 'At least', 'Lower end of the 95 % range of the win rate; the rank goes by it.'),
  { ...count('verified', 'Verified'), title: 'How many results the recorded prices verify.', width: 76 },
  {
    ...count('averageVerified', 'Avg result'),
    title: 'Mean verified result, from entry to the price at closing.',
    width: 88,
    text: ({ metrics }) => formatResult(metrics.averageVerified),
    tone: ({ metrics }) => toneOf(metrics.averageVerified, 1),
  },
  {
    ...count('rank', 'Rank'),
    title: 'From five closed calls with a verified result.',
    width: 60,
    text: ({ metrics }) => (metrics.rank === null ? DASH : String(metrics.rank)),
  },
];

const STATUS_LOOK: Readonly<Record<NonNullable<RecentRow['call']['status']>, PillLook>> = {
  pending: 'warn',
  open: 'accent',
  closed: 'plain',
  cancelled: 'stale',
};

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
const moment = figure(formatMoment, 104, 140);
const result = figure(formatResult, 74, 110);

const percent = (
  id: string,
  label: string,
  title: string,
  read: (row: RecentRow) => number | null,
): TableColumn<RecentRow> => ({
  ...result(id, label, read),
  title,
  tone: (row) => toneOf(read(row), 1),
});

const word = (
  id: string,
  label: string,
  width: number,
  read: (row: RecentRow) => string,
): TableColumn<RecentRow> => ({ id, label, numeric: false, width, maxWidth: width + 60, read, text: read });

/** Recent Calls: the specification's columns, then the verified result. */
export const RECENT_COLUMNS: readonly TableColumn<RecentRow>[] = [
  { ...word('symbol', 'Symbol', 76, ({ call }) => call.symbol), pinned: true, isRowHeader: true },
  word('type', 'Type', 66, ({ call }) => formatType(call.callType)),
  {
    ...word('status', 'Status', 92, ({ call }) => formatStatus(call.status)),
    render: ({ call }) => (
      <>
        <Pill look={call.status ? STATUS_LOOK[call.status] : 'plain'}>{formatStatus(call.status)}</Pill>
        {call.adminStatus === 'rejected' && <Pill look="down">Rejected</Pill>}
        {call.adminStatus === 'review' && <Pill look="warn">Review</Pill>}
      </>
    ),
  },
  price('last', 'Last', (row) => row.last),
  price('entry', 'Entry', ({ call }) => call.entryPrice),
  price('target', 'Target', ({ call }) => call.targetPrice),
  {
    ...price('stop', 'Stop', ({ call }) => call.stopLoss),
    text: ({ call }) => formatStop(call.stopLossType, call.stopLoss),
  },
  {
    ...price('pocketed', 'Pocketed', ({ call }) => call.pocketedValue),
    width: 96,
    text: ({ call }) => formatPocketed(call.pocketedValue),
    tone: ({ call }) => toneOf(call.pocketedValue, 2),
  },
  moment('submitted', 'Submitted', ({ call }) => timeOf(call.submittedAt)),
  moment('closed', 'Closed', ({ call }) => timeOf(call.closedAt)),
  {
    ...word('submitter', 'Submitter', 110, ({ call }) => call.submittedBy.display),
    render: ({ call }) => <span title={call.submittedBy.display}>{call.submittedBy.display}</span>,
  },
  percent(
    'verified',
    'Verified',
    'By the prices recorded here, from entry to the price when the call ended.',
    ({ call }) => call.verified?.percent ?? null,
  ),
  percent(
    'best',
    'Best',
    'Highest price since the fill, from entry.',
    ({ call }) => call.verified?.bestPercent ?? null,
  ),
  percent(
    'worst',
    'Worst',
    'Lowest price since the fill, from entry.',
    ({ call }) => call.verified?.worstPercent ?? null,
  ),
  {
    ...price('days', 'Days', ({ call }) => call.verified?.daysOpen ?? null),
    title: 'Days from fill to closing.',
    width: 54,
    text: ({ call }) => formatDays(call.verified?.daysOpen),
  },
  {
    ...word('reached', 'Reached', 150, ({ call }) => formatReached(call)),
    render: ({ call }) => <span title={formatReached(call)}>{formatReached(call)}</span>,
    title: 'Target and stop, with the time at which the price traded there.',
  },
];
