import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { triggerPage } from '#subjects/alerts/answers/alert.ts';
import type { ScanAlertView } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { ListedTrigger } from '#subjects/alerts/rules/trigger.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ScanAlertDialog } from '#subjects/alerts/web/shared/lateAlertDialogs.tsx';
import { requestAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { fetchScanAlerts } from '#subjects/alerts/web/shared/scanAlerts/api.ts';
import { request, isMissing, messageOf } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { useOnReconnect } from '#web/shared/useOnReconnect.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { followChanges } from '#subjects/alerts/web/shared/alertStream.ts';
import { AlertList, ListFailure, ListSearch, useSearch, useCompanies } from '../parts/AlertList.tsx';
import { textsOf, type TriggerRow, triggerRow, TriggersTable } from './TriggersTable.tsx';

/** A part of the list, and where the next one begins. */
export type TriggerPage = { triggers: ListedTrigger[]; next: string | null };

const triggerRowId = ({ kind, id }: Pick<ListedTrigger, 'kind' | 'id'>): string => `${kind} ${id}`;

/**
 * The list with its newest page read again: what came is on top, and what is gone from the top is gone.
 * @param newest the first page; where it does not reach what is there already, what is in between is not known, and the list begins again
 */
export function withNewest(list: TriggerPage | null, newest: TriggerPage): TriggerPage {
  const last = newest.triggers.at(-1);
  if (list === null || last === undefined || newest.next === null) return newest;
  const known = list.triggers.findIndex((one) => triggerRowId(one) === triggerRowId(last));
  if (known < 0) return newest;
  const older = list.triggers.slice(known + 1);
  return { triggers: [...newest.triggers, ...older], next: older.length === 0 ? newest.next : list.next };
}

/** The list with the page that is behind it. */
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

/**
 * What all alerts told, the newest first; what fires comes on top by itself. What was loaded stays when a later load fails.
 */
function useTriggers() {
  const { data: newest, error, problem, reload } = useLoaded(fetchFirst, FAILED);
  useEffect(() => followChanges(() => void reload()), [reload]);
  const [taken, setTaken] = useState<TriggerPage | null>(null);
  const [list, setList] = useState<TriggerPage | null>(null);
  const [failure, setFailure] = useState<{ message: string } | null>(null);
  if (newest !== null && newest !== taken) {
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
      // Where the list began again meanwhile this is no longer what follows.
      setList((before) => (before?.next === next ? withOlder(before, older) : before));
      setFailure(null);
    } catch (cause) {
      setFailure({ message: messageOf(cause, FAILED) });
    }
    setLoadingMore(false);
  };
  // A server that knows only what the specification names has no such list.
  const isOffered = !isMissing(problem);
  return { list, error: error ?? failure?.message ?? null, isOffered, isLoadingMore, reload, more };
}

/** The rows of triggers; one that says nothing new stays the same, as the newest are read again with each that fires. */
function useTriggerRows(list: TriggerPage | null): readonly TriggerRow[] {
  const [kept] = useState(() => new Map<string, { said: string; row: TriggerRow }>());
  const symbols = useMemo(() => (list?.triggers ?? []).flatMap(({ symbol }) => symbol ?? []), [list]);
  const companyOf = useCompanies(symbols);
  return useMemo(() => {
    return (list?.triggers ?? []).map((trigger) => {
      const rowId = triggerRowId(trigger);
      const row = triggerRow(trigger, rowId, companyOf);
      const said = JSON.stringify(row);
      const before = kept.get(rowId);
      if (before?.said === said) return before.row;
      kept.set(rowId, { said, row });
      return row;
    });
  }, [list, companyOf, kept]);
}

const GONE = 'That alert does not exist any more.';

/** An alert on a scan as it stands; a sentence where it can't be had. */
async function findScanAlert(id: number): Promise<ScanAlertView | string> {
  try {
    return (await fetchScanAlerts()).scan_alerts.find((alert) => alert.id === id) ?? GONE;
  } catch (problem) {
    return messageOf(problem, MESSAGES.watchlist.loadAlerts);
  }
}

/** Leads to the alert of a trigger: on a stock to its editor, on a scan to its dialog. */
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

/** What all alerts told, those on stocks and those on scans, newest first. */
export function Triggers(): ReactNode {
  const { list, error, isOffered, isLoadingMore, reload, more } = useTriggers();
  const all = useTriggerRows(list);
  const { rows, typed, setTyped } = useSearch(all, textsOf);
  const { open, edited, close, refusal, dismiss } = useOpening(all);
  if (!isOffered) return <EmptyState>This server keeps no list of all triggers.</EmptyState>;
  return (
    <AlertList label="Triggers" isLoading={list === null}>
      <ListFailure error={error} what="triggers" hasOld={list !== null} onRetry={reload} />
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
