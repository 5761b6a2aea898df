import { useEffect, useMemo, useState } from 'react';
import type { Listed } from '#market/scanners/rules/filters.ts';
import { listenToAlerts } from '#subjects/alerts/web/shared/alertStream.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { MESSAGES } from '#texts/messages.ts';

/** Fetched with the first filter by lists. */
const fetchLists = async () => (await import('#subjects/alerts/web/shared/watchlists.ts')).fetchLists();

/**
 * The symbols that the filter by the user's lists lets through; null while they are not known.
 * @param chosen undefined where nothing is filtered by lists: then nothing is asked for
 */
export function useListed(chosen: Listed | undefined) {
  const isWanted = chosen !== undefined;
  const [turn, setTurn] = useState(0);
  // A symbol that is added or removed in any window is told as a change of alerts.
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
