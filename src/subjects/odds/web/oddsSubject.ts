import { filtersText, scanLines, usualFilters } from '#market/scanners/rules/filters.ts';
import { SCANNERS } from '#market/scanners/rules/scanners.ts';
import { scannerOfWatched } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { WATCHLIST_PATH } from '#web/router/routes.ts';
import type { OddsSubject } from '#web/shared/oddsPath.ts';
import { type ChosenScan, chosenScan } from '../answers/odds.ts';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The address was cut off or typed by hand.
  }
}

/** What an address asks about; null if it names no scan. */
export function readSubject(query: URLSearchParams): OddsSubject | null {
  const scan = chosenScan.read(parsed(query.get('scan') ?? 'null'));
  if (scan === null) return null;
  const [subject, name] = [query.get('subject'), query.get('name')];
  return { scan, ...(subject !== null && { subject }), ...(name !== null && { name }) };
}

/** The name of the scan: 'Top Movers under $1', 'Breakouts'. */
export function nameOf({ scan, name }: OddsSubject): string {
  if (scan.type === 'scanner') return SCANNERS[scan.key].title;
  if (scan.type === 'scan') return scan.name;
  return name ?? (scan.type === 'alert' ? 'an alert' : 'your conditions');
}

/** What a stock must meet, in words; null if the name says all of it. */
export function conditionsText(scan: ChosenScan): string | null {
  if (scan.type === 'alert') return null;
  if (scan.type === 'logic') {
    return `${scan.symbol === undefined ? '' : `${scan.symbol}: `}${logicText(scan.logic, null)}`;
  }
  return scan.type === 'scan'
    ? ['the conditions of your scan', narrowedText(scan)].filter((text) => text !== null).join('; ')
    : scanLines(scan.key, scan.filters ?? usualFilters(scan.key)).join('; ');
}

/** What differs from the scan's usual filters, in words; null if nothing does. */
export function narrowedText(scan: ChosenScan): string | null {
  if (scan.type === 'alert' || scan.filters === undefined) return null;
  return filtersText(scan.type === 'logic' ? 'custom' : scannerOfWatched(scan), scan.filters);
}

/** Where the scan is. */
export const homeOf = (scan: ChosenScan): { path: string; label: string } => {
  if (scan.type === 'alert' || (scan.type === 'logic' && scan.symbol !== undefined)) {
    return { path: WATCHLIST_PATH, label: 'Watchlist & Alerts' };
  }
  const { route, tab } = SCANNERS[scan.type === 'scanner' ? scan.key : 'custom'];
  return { path: route, label: tab };
};

/** Whether two choices are of the same scan, with any filters. */
export function isSameScan(one: ChosenScan, other: ChosenScan): boolean {
  if (one.type === 'scanner') return other.type === 'scanner' && one.key === other.key;
  if (one.type === 'logic') return other.type === 'logic' && JSON.stringify(one) === JSON.stringify(other);
  return other.type === one.type && one.id === other.id;
}
