import { type ReactNode, useMemo, useState } from 'react';
import { formatNumber, DASH } from '#texts/format.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { SortState, TableColumn } from '#ui/table/types.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import type { ListedTrigger } from '#subjects/alerts/rules/trigger.ts';
import { stockColumn, textColumn, titledColumn } from '../parts/AlertList.tsx';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import type { Delivery } from '#platform/outbox/rules/delivery.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { EVENT_PAST } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { TakeButton } from '#web/shared/take/TakeButton.tsx';

/** The stock that it was, or the first of a sum. */
const stockOf = ({ symbol, symbols }: ListedTrigger): string => symbol ?? `${symbols.length} stocks`;

/** What happened: 'Last 51.00 above 50.00', 'Entered Pre-Market Scan', and of a sum which stocks did. */
function reasonOf({ kind, seen, event, scan, symbols, guard }: ListedTrigger): string {
  const held = seen.filter(({ holds }) => holds !== false).map(seenText);
  const did = kind === 'scan' && event !== null ? [`${EVENT_PAST[event]} ${scan ?? 'the scan'}`] : [];
  const text = [...did, ...held, ...(guard === null ? [] : [guard])].join(' · ') || DASH;
  return symbols.length === 0 ? text : `${text}: ${symbols.join(', ')}`;
}

const BECAME: Readonly<Record<Delivery, string>> = {
  sent: '',
  waiting: ' (on its way)',
  failed: ' (not delivered)',
};

/** Where it was sent and what became of that: 'Telegram, Discord (not delivered)'. */
function sentText({ silent, sent }: ListedTrigger): string {
  if (silent) return 'Nowhere: snoozed';
  if (sent.length === 0) return 'Browser only';
  return sent.map(({ platform, delivery }) => `${PLATFORM_NAMES[platform]}${BECAME[delivery]}`).join(', ');
}

export type TriggerRow = ListedTrigger & {
  id: number;
  rowId: string;
  stock: string;
  company: string;
  reason: string;
  sentTo: string;
};

/** The row of a trigger. @param companyOf '' for a stock that the live list does not have */
export const triggerRow = (
  trigger: ListedTrigger,
  rowId: string,
  companyOf: (symbol: string) => string,
): TriggerRow => ({
  ...trigger,
  rowId,
  stock: stockOf(trigger),
  company: trigger.symbol === null ? '' : companyOf(trigger.symbol),
  reason: reasonOf(trigger),
  sentTo: sentText(trigger),
});

/** What a row is searched by: its code, company, the alert's name and the reason. */
export const textsOf = ({ stock, company, name, reason }: TriggerRow): string[] => [
  stock,
  company,
  name ?? '',
  reason,
];

const column = textColumn<TriggerRow>;

/** The columns of all triggers. Make them in a memo. */
export const triggerColumns = (isNarrow: boolean): TableColumn<TriggerRow>[] => [
  column({
    id: 'time',
    label: 'Time',
    title: 'When it happened in the market, in Sydney',
    width: 104,
    maxWidth: 124,
    pinned: true,
    isTime: true,
    read: ({ marketTime }) => Date.parse(marketTime),
    text: ({ marketTime }) => formatMoment(marketTime),
  }),
  stockColumn({
    id: 'stock',
    label: 'Stock',
    isNarrow,
    narrowWidth: 84,
    text: ({ stock }) => stock,
    isCode: ({ symbol }) => symbol !== null,
    companyOf: ({ company }) => company,
  }),
  column({ id: 'name', label: 'Alert', width: 130, maxWidth: 240, text: ({ name }) => name ?? '' }),
  titledColumn({ id: 'reason', label: 'Reason', width: 260, maxWidth: 620, text: ({ reason }) => reason }),
  titledColumn({ id: 'sent', label: 'Sent to', width: 150, maxWidth: 260, text: ({ sentTo }) => sentTo }),
  column({
    id: 'then',
    label: 'Then',
    width: 104,
    maxWidth: 130,
    text: ({ deactivated }) => (deactivated ? 'Switched off' : ''),
  }),
];

type TriggersTableProps = {
  rows: readonly TriggerRow[];
  /** How many were loaded, whatever the search shows. */
  loaded: number;
  isLoading: boolean;
  hasMore: boolean;
  /** What is searched for; '' for nothing. */
  typed: string;
  onOpen(id: string): void;
};

const idOf = ({ rowId }: TriggerRow): string => rowId;

const triggersText = (count: number): string =>
  `${formatNumber(count, 0)} ${count === 1 ? 'trigger' : 'triggers'}`;

/** How many there are: '12 triggers', 'Newest 50 shown', '3 of the newest 50'. */
function countText({ rows, loaded, hasMore, typed }: TriggersTableProps): string {
  const newest = hasMore ? `newest ${formatNumber(loaded, 0)}` : triggersText(loaded);
  if (typed !== '') return `${formatNumber(rows.length, 0)} of ${hasMore ? 'the ' : ''}${newest}`;
  return hasMore ? `Newest ${formatNumber(loaded, 0)} shown` : newest;
}

function emptyText({ loaded, hasMore, typed }: TriggersTableProps): string {
  if (loaded === 0) return 'No alert has fired in the last 30 days.';
  const among = hasMore
    ? ` among the newest ${formatNumber(loaded, 0)}. Load more to search further back`
    : '';
  return `No trigger answers to “${typed}”${among}.`;
}

/** The rows of all triggers. A click or Enter opens the alert of one. */
export function TriggersTable(props: TriggersTableProps): ReactNode {
  const { rows, typed } = props;
  const [sort, setSort] = useState<SortState>({ id: 'time', desc: true });
  const isNarrow = useWidthQuery('phone');
  const columns = useMemo(() => triggerColumns(isNarrow), [isNarrow]);
  return (
    <DataTable
      label="Triggers"
      columns={columns}
      rows={rows}
      rowId={idOf}
      sort={sort}
      onSort={setSort}
      onOpen={props.onOpen}
      resetKey={typed}
      loading={props.isLoading}
      isPrimary
      heading={({ pausedChip, newestRows }) => (
        <header className="cluster gap-3 small">
          <span className="muted" role="status">
            {props.isLoading ? 'Loading…' : props.loaded > 0 && countText(props)}
          </span>
          <TakeButton label="Triggers" columns={columns} rows={newestRows} />
          {pausedChip}
        </header>
      )}
      empty={<EmptyState>{emptyText(props)}</EmptyState>}
    />
  );
}
