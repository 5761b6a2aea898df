import { useCallback, useEffect, useRef, useState } from 'react';
import { MESSAGES } from '../../../../src/domain/messages.ts';
import type { ScanAlertView } from '../../../../src/domain/scanAlerts/scanTrigger.ts';
import { ApiError, messageOf } from '../../../shared/api/client.ts';
import { fetchScanAlerts } from '../../../shared/scanAlerts/api.ts';
import { useOnceBack } from '../../../shared/useOnceBack.ts';
import { fetchAllAlerts } from '../api.ts';
import { followChanges } from '../followChanges.ts';
import type { SavedAlert } from '../readAlerts.ts';

export type LoadedAlerts = { stocks: readonly SavedAlert[]; scans: readonly ScanAlertView[] };

/** A server that knows only what the specification names has no alerts on scans. */
async function fetchScans(): Promise<readonly ScanAlertView[]> {
  try {
    return (await fetchScanAlerts()).scan_alerts;
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 404) return [];
    throw problem;
  }
}

/**
 * All alerts of the user, on stocks and on scans, as they stand: loaded again after whatever may have changed them. What was
 * loaded stays when a later load fails.
 */
export function useAllAlerts() {
  const [loaded, setLoaded] = useState<LoadedAlerts | null>(null);
  const [failure, setFailure] = useState<{ message: string } | null>(null);
  const newest = useRef(0);
  const load = useCallback((): Promise<void> => {
    newest.current += 1;
    const own = newest.current;
    return Promise.all([fetchAllAlerts(), fetchScans()]).then(
      ([stocks, scans]) => {
        if (own !== newest.current) return;
        setLoaded({ stocks, scans });
        setFailure(null);
      },
      (problem: unknown) => {
        if (own !== newest.current) return;
        setFailure({ message: messageOf(problem, MESSAGES.watchlist.loadAlerts) });
      },
    );
  }, []);
  useEffect(() => {
    void load();
    const stop = followChanges(() => void load());
    return () => {
      stop();
      newest.current += 1;
    };
  }, [load]);
  useOnceBack(failure, load);
  return { loaded, error: failure?.message ?? null, load };
}
