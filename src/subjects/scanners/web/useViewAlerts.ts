import { useEffect } from 'react';
import type { WatchedScan } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { scanAlertTurns } from '#subjects/alerts/web/shared/alertStream.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { MESSAGES } from '#texts/messages.ts';
import type { BellState } from './parts/AlertBell.tsx';

/** Fetched after the first rows are shown. */
const fetchFinder = async () =>
  (await import('#subjects/alerts/web/shared/alertRequests.ts')).fetchViewAlerts();

/** After a change, ms: at the open many alerts fire at once, and each of them counts as one. */
const PAUSE_MS = 400;

/**
 * The alerts that watch exactly what is on screen, those that are on first.
 * @param scan null while there is nothing to watch: then nothing is asked for
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
