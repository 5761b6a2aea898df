import { useEffect, useState } from 'react';
import { MESSAGES } from '../../../../../texts/messages.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { ApiError, messageOf } from '../../../../../../web/api/client.ts';
import { fetchScanAlerts } from '../../shared/scanAlerts/api.ts';
import { scanAlertTurns } from '../../shared/scanAlerts/scanAlertTurns.ts';

type Loaded = { alerts: readonly ScanAlertView[]; limit: number };

/** The user's scan alerts as they stand; what was loaded stays when a later load fails. */
export function useScanAlerts() {
  const turn = scanAlertTurns.value;
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  /** A server that knows only what the specification names has none. */
  const [isOffered, setOffered] = useState(true);
  useEffect(() => {
    let isWanted = true;
    fetchScanAlerts().then(
      ({ scan_alerts: alerts, limit }) => {
        if (!isWanted) return;
        setLoaded({ alerts, limit });
        setError(null);
      },
      (problem: unknown) => {
        if (!isWanted) return;
        if (problem instanceof ApiError && problem.status === 404) setOffered(false);
        else setError(messageOf(problem, MESSAGES.watchlist.loadAlerts));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [turn, tries]);
  return { isOffered, loaded, error, setError, retry: () => setTries((count) => count + 1) };
}
