import { useEffect } from 'react';
import { MESSAGES } from '../../../../../texts/messages.ts';
import type { ScanAlertView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { ApiError } from '../../../../../../web/api/client.ts';
import { fetchScanAlerts } from '../../shared/scanAlerts/api.ts';
import { useLoaded } from '../../../../../../web/shared/useLoaded.ts';
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

async function fetchAll(): Promise<LoadedAlerts> {
  const [stocks, scans] = await Promise.all([fetchAllAlerts(), fetchScans()]);
  return { stocks, scans };
}

/**
 * All alerts of the user, on stocks and on scans, as they stand: loaded again after whatever may have changed them. What was
 * loaded stays when a later load fails.
 */
export function useAllAlerts() {
  const { data: loaded, error, reload: load } = useLoaded(fetchAll, MESSAGES.watchlist.loadAlerts);
  useEffect(() => followChanges(() => void load()), [load]);
  return { loaded, error, load };
}
