import { filtersOnScreen } from '#market/scanners/rules/scanFilters.ts';
import type { ScanAlertView, WatchedScan } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { filtersOf, isSameScan } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import { fetchScanAlerts } from './api.ts';

/** A scan as a filter bar shows it: an alert with a least change is still an alert on that view. */
const onScreen = (scan: WatchedScan): WatchedScan => ({ ...scan, filters: filtersOnScreen(filtersOf(scan)) });

/**
 * Gives the alerts on a view, those that are on first.
 * @throws ApiError with the server's sentence
 */
export async function fetchViewAlerts(): Promise<(view: WatchedScan) => readonly ScanAlertView[]> {
  const { scan_alerts: alerts } = await fetchScanAlerts();
  return (view) =>
    alerts
      .filter(({ scan }) => isSameScan(onScreen(scan), view))
      .toSorted((one, other) => Number(other.active) - Number(one.active));
}
