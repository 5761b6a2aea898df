import { useEffect, useMemo, useState } from 'react';
import type { Listed } from '#market/scanners/rules/filters.ts';
import { listenToAlerts, scanAlertTurns } from '#subjects/alerts/web/shared/alertStream.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import type { BellState } from './parts/ToolbarButton.tsx';

/** Loaded with the first filter by lists. */
const fetchLists = async () => (await import('#subjects/alerts/web/shared/watchlists.ts')).fetchLists();

/**
 * Symbols that pass the filter by the user's lists; null while unknown.
 * @param chosen undefined without such a filter, which requests nothing
 */
export function useListed(chosen: Listed | undefined) {
  const isWanted = chosen !== undefined;
  const [turn, setTurn] = useState(0);
  // The stream reports an added or removed symbol, in any window, as a change of alerts.
  useEffect(
    () =>
      isWanted ? listenToAlerts(({ type }) => type === 'changed' && setTurn((now) => now + 1)) : undefined,
    [isWanted],
  );
  const { data, error, reload } = useLoaded(fetchLists, MESSAGES.watchlist.load, {
    of: isWanted ? 'lists' : null,
    again: turn,
  });
  const listed = useMemo(() => {
    const lists = data?.filter(({ id }) => chosen === 'all' || chosen?.includes(id));
    return lists ? new Set(lists.flatMap(({ symbols }) => symbols)) : null;
  }, [data, chosen]);
  const named =
    data?.flatMap(({ id, name }) => (chosen !== 'all' && chosen?.includes(id) ? [{ id, name }] : [])) ?? [];
  const names = named.map(({ name }) => name);
  const isGone = data !== null && Array.isArray(chosen) && names.length === 0;
  const label = chosen === 'all' || names.length === 0 ? 'My lists' : names.join(', ');
  return { listed, named, label, isGone, error: isWanted ? error : null, reload };
}

/** Loaded after the first rows are shown. */
const fetchFinder = async () =>
  (await import('#subjects/alerts/web/shared/alertRequests.ts')).fetchViewAlerts();

/** Delay of a reload after a change, ms: many alerts fire at once at the open. */
const PAUSE_MS = 400;

/**
 * The alerts on exactly this view, active ones first.
 * @param scan null if there is nothing to watch, which requests nothing
 */
export function useViewAlerts(scan: WatchedScan | null) {
  const isAsked = scan !== null && session.value.isAuthenticated;
  const { data: find, reload } = useLoaded(fetchFinder, MESSAGES.watchlist.loadAlerts, {
    of: isAsked ? 'alerts' : null,
  });
  useEffect(() => {
    if (!isAsked) return;
    const known = scanAlertTurns.peek();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = scanAlertTurns.subscribe((turn) => {
      if (turn === known) return;
      clearTimeout(timer);
      timer = setTimeout(() => void reload(), PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isAsked, reload]);
  const alerts = scan && find ? find(scan) : [];
  const [first] = alerts;
  const state: BellState = !first ? null : !first.active ? 'off' : first.problem ? 'not checked' : 'on';
  return { alerts, state };
}
