import type { ScanFilters } from '#market/scanners/rules/filters.ts';
import type { SharedScanner } from '#subjects/alerts/answers/scanAlert.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { SavedScan } from '#subjects/conditions/rules/savedScan.ts';
import type { OddsSettings } from './settings.ts';

/** A scan as the engine runs it. `symbol` limits conditions to one stock, as in an alert. */
export type OddsScan =
  | { type: 'scanner'; key: SharedScanner; filters: ScanFilters }
  | { type: 'logic'; logic: Logic; filters?: ScanFilters; symbol?: string };

/** A checked request. It is plain data and complete, so that a worker runs it, and a stored one never changes. */
export type AskedOdds = {
  scan: OddsScan;
  settings: OddsSettings;
  /** The saved scans that the conditions read. */
  scans: readonly SavedScan[];
  /** The stocks that the scan's watchlists allow; null for all stocks. */
  listed: readonly string[] | null;
};
