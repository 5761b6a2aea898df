import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { triggerPage } from '../../answers/alert.ts';
import type { ScanAlertView } from '../../rules/scanAlerts/scanAlert.ts';
import type { ListedTrigger } from '../../rules/trigger.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ScanAlertDialog } from '../shared/lateAlertDialogs.tsx';
import { requestAlert } from '../shared/showAlert.ts';
import { fetchScanAlerts } from '../shared/alertRequests.ts';
import { isMissing, messageOf, readerOf, request } from '#web/api/client.ts';
import { useLoaded, useOnReconnect } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { followChanges } from '../shared/alertStream.ts';
import {
  AlertList,
  ListFailure,
  ListSearch,
  useSearch,
  useCompanies,
  stockColumn,
  textColumn,
  titledColumn,
} from './parts/AlertList.tsx';
import { counted, formatNumber, DASH, formatMoment } from '#texts/format.ts';
import { DataTable } from '#ui/table/DataTable.tsx';
import type { SortState, TableColumn } from '#ui/table/tableModel.ts';
import { useWidthQuery } from '#ui/useWidthQuery.ts';
import { seenText } from '../../rules/seenText.ts';
import type { Delivery } from '#platform/outbox/rules/delivery.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { EVENT_PAST } from '../../rules/scanAlerts/scanAlertText.ts';
import { scanNameOf } from '#subjects/conditions/rules/scanFields.ts';
import { ExportButton } from '#web/shared/export/ExportButton.tsx';

/** 'Last 51.00 above 50.00', 'Entered Pre-Market Scan'; a summary also lists its stocks. */
function reasonOf({ kind, seen, event, scan, symbol, symbols, announcements, guard }: ListedTrigger): string {
  if (announcements.length > 0) {
    const headlines = announcements.map(({ code, headline }) =>
      symbol === null ? `${code}: ${headline}` : headline,
    );
    return [...headlines, ...(guard === null ? [] : [guard])].join(' · ');
  }
  const held = seen.filter(({ holds }) => holds !== false).map(seenText);
  const did =
    kind === 'scan' && event !== null ? [`${EVENT_PAST[event]} ${scanNameOf(scan ?? 'the scan')}`] : [];
  const text = [...did, ...held, ...(guard === null ? [] : [guard])].join(' · ') || DASH;
  return symbols.length === 0 ? text : `${text}: ${symbols.join(', ')}`;
}

const BECAME: Readonly<Record<Delivery, string>> = {
  sent: '',
  waiting: ' (on its way)',
  failed: ' (not delivered)',
};

/** Where a trigger was sent: 'Telegram, Discord (not delivered)'. */
function sentText({ silent, sent }: ListedTrigger): string {
  if (silent) return 'Not sent: snoozed';
  if (sent.length === 0) return 'Browser only';
  return sent.map(({ platform, delivery }) => `${PLATFORM_NAMES[platform]}${BECAME[delivery]}`).join(', ');
}

type TriggerRow = ListedTrigger & {
  id: number;
  rowId: string;
  stock: string;
  company: string;
  reason: string;
  sentTo: string;
};

/** @param companyOf returns '' if the live list lacks the stock */
const triggerRow = (
  trigger: ListedTrigger,
  rowId: string,
  companyOf: (symbol: string) => string,
): TriggerRow => ({
  ...trigger,
  rowId,
  stock: trigger.symbol ?? `${trigger.symbols.length} stocks`,
  company: trigger.symbol === null ? '' : companyOf(trigger.symbol),
  reason: reasonOf(trigger),
  sentTo: sentText(trigger),
});

const textsOf = ({ stock, company, name, reason }: TriggerRow): string[] => [
  stock,
  company,
  name ?? '',
  reason,
];

const column = textColumn<TriggerRow>;

const NAME = column({
  id: 'name',
  label: 'Alert',
  width: 130,
  maxWidth: 240,
  text: ({ name }) => name ?? '',
});
const reasonColumn = (width: number): TableColumn<TriggerRow> =>
  titledColumn({ id: 'reason', label: 'Reason', width, maxWidth: 620, text: ({ reason }) => reason });

/** On a phone the reason is next to the stock. */
const triggerColumns = (isNarrow: boolean): TableColumn<TriggerRow>[] => [
  column({
    id: 'time',
    label: 'Time',
    title: 'Market time, in Sydney',
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
  ...(isNarrow ? [reasonColumn(174), NAME] : [NAME, reasonColumn(260)]),
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
  loaded: number;
  isLoading: boolean;
  hasMore: boolean;
  typed: string;
  onOpen(id: string): void;
};

const idOf = ({ rowId }: TriggerRow): string => rowId;

/** '12 triggers', 'Newest 50 shown', '3 of the newest 50'. */
function countText({ rows, loaded, hasMore, typed }: TriggersTableProps): string {
  const newest = hasMore ? `newest ${formatNumber(loaded, 0)}` : counted(loaded, 'trigger');
  if (typed !== '') return `${formatNumber(rows.length, 0)} of ${hasMore ? 'the ' : ''}${newest}`;
  return hasMore ? `Newest ${formatNumber(loaded, 0)} shown` : newest;
}

function emptyText({ loaded, hasMore, typed }: TriggersTableProps): string {
  if (loaded === 0) return 'No alert has fired in the last 30 days.';
  const among = hasMore
    ? ` among the newest ${formatNumber(loaded, 0)}. Load more to search further back`
    : '';
  return `No triggers match “${typed}”${among}.`;
}

function TriggersTable(props: TriggersTableProps): ReactNode {
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
          {props.loaded > 0 && <ExportButton label="Triggers" columns={columns} rows={newestRows} />}
          {pausedChip}
        </header>
      )}
      empty={<EmptyState>{emptyText(props)}</EmptyState>}
    />
  );
}

export type TriggerPage = { triggers: ListedTrigger[]; next: string | null };

const triggerRowId = ({ kind, id }: Pick<ListedTrigger, 'kind' | 'id'>): string => `${kind} ${id}`;

/**
 * Merges the newest page into the list.
 * @param newest if it does not reach the known triggers, the list starts again, because the gap is unknown
 */
export function withNewest(list: TriggerPage | null, newest: TriggerPage): TriggerPage {
  const last = newest.triggers.at(-1);
  if (list === null || last === undefined || newest.next === null) return newest;
  const known = list.triggers.findIndex((one) => triggerRowId(one) === triggerRowId(last));
  if (known < 0) return newest;
  const older = list.triggers.slice(known + 1);
  return { triggers: [...newest.triggers, ...older], next: older.length === 0 ? newest.next : list.next };
}

export const withOlder = (list: TriggerPage, older: TriggerPage): TriggerPage => ({
  triggers: [...list.triggers, ...older.triggers],
  next: older.next,
});

const FAILED = 'Failed to load triggers';

const fetchPage = (before?: string): Promise<TriggerPage> =>
  request('GET /api/alerts/triggers', {
    query: before === undefined ? {} : { before },
    read: readerOf(triggerPage),
  });

const fetchFirst = () => fetchPage();

/** Triggers of all alerts, newest first, updated live. They stay if a later load fails. */
function useTriggers() {
  const { data: newest, error, problem, reload } = useLoaded(fetchFirst, FAILED);
  useEffect(() => followChanges(() => void reload()), [reload]);
  const [exported, setTaken] = useState<TriggerPage | null>(null);
  const [list, setList] = useState<TriggerPage | null>(null);
  const [failure, setFailure] = useState<{ message: string } | null>(null);
  if (newest !== null && newest !== exported) {
    setTaken(newest);
    setList(withNewest(list, newest));
    setFailure(null);
  }
  useOnReconnect(failure, reload);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const next = list?.next ?? null;
  const more = async (): Promise<void> => {
    if (next === null) return;
    setLoadingMore(true);
    try {
      const older = await fetchPage(next);
      // If the list restarted meanwhile, this page no longer follows it.
      setList((before) => (before?.next === next ? withOlder(before, older) : before));
      setFailure(null);
    } catch (cause) {
      setFailure({ message: messageOf(cause, FAILED) });
    }
    setLoadingMore(false);
  };
  // A server with only the specified routes has no such list.
  const isOffered = !isMissing(problem);
  return { list, error: error ?? failure?.message ?? null, isOffered, isLoadingMore, reload, more };
}

/** Rows of the list. Unchanged ones stay the same objects, because each trigger reloads the newest page. */
function useTriggerRows(list: TriggerPage | null): readonly TriggerRow[] {
  const [kept] = useState(() => new Map<string, { key: string; row: TriggerRow }>());
  const symbols = useMemo(() => (list?.triggers ?? []).flatMap(({ symbol }) => symbol ?? []), [list]);
  const companyOf = useCompanies(symbols);
  return useMemo(() => {
    return (list?.triggers ?? []).map((trigger) => {
      const rowId = triggerRowId(trigger);
      const row = triggerRow(trigger, rowId, companyOf);
      const key = JSON.stringify(row);
      const before = kept.get(rowId);
      if (before?.key === key) return before.row;
      kept.set(rowId, { key, row });
      return row;
    });
  }, [list, companyOf, kept]);
}

async function findScanAlert(id: number): Promise<ScanAlertView | string> {
  try {
    return (
      (await fetchScanAlerts()).scan_alerts.find((alert) => alert.id === id) ?? 'That alert no longer exists.'
    );
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.loadAlerts);
  }
}

function useOpening(rows: readonly TriggerRow[]) {
  const [edited, edit] = useState<ScanAlertView | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = useCallback(
    async (id: string) => {
      const row = rows.find(({ rowId }) => rowId === id);
      if (!row) return;
      if (row.kind === 'alert' && row.symbol !== null) return requestAlert(row.symbol, row.alertId);
      const found = await findScanAlert(row.alertId);
      if (typeof found === 'string') setRefusal(found);
      else edit(found);
    },
    [rows],
  );
  return { open, edited, close: () => edit(null), refusal, dismiss: () => setRefusal(null) };
}

export function Triggers(): ReactNode {
  const { list, error, isOffered, isLoadingMore, reload, more } = useTriggers();
  const all = useTriggerRows(list);
  const { rows, typed, setTyped } = useSearch(all, textsOf);
  const { open, edited, close, refusal, dismiss } = useOpening(all);
  if (!isOffered) return <EmptyState>This server does not list triggers.</EmptyState>;
  return (
    <AlertList label="Triggers" isLoading={list === null}>
      <ListFailure error={error} hasOld={list !== null} onRetry={reload} />
      {refusal !== null && <Banner onDismiss={dismiss}>{refusal}</Banner>}
      <div className="gap-2-3 align-end row">
        <ListSearch
          label="Search triggers"
          placeholder="Code, alert or reason"
          typed={typed}
          onType={setTyped}
        />
      </div>
      {(list !== null || error === null) && (
        <TriggersTable
          rows={rows}
          loaded={all.length}
          isLoading={list === null}
          hasMore={list?.next !== null}
          typed={typed.trim()}
          onOpen={(id) => void open(id)}
        />
      )}
      {list !== null && list.next !== null && <MoreButton isLoading={isLoadingMore} onMore={more} />}
      {edited !== null && <ScanAlertDialog alert={edited} scan={edited.scan} onClose={close} />}
    </AlertList>
  );
}

const MoreButton = ({ isLoading, onMore }: { isLoading: boolean; onMore(): Promise<void> }): ReactNode => (
  <Button className="self-center" aria-disabled={isLoading} onClick={() => void (isLoading || onMore())}>
    {isLoading ? 'Loading…' : 'Load more'}
  </Button>
);
