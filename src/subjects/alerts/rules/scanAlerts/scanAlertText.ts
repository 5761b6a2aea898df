import { counted, formatNumber } from '#texts/format.ts';
import { SCAN_FIELDS, savedScanLabel, scanFieldOf } from '#subjects/conditions/rules/scanFields.ts';
import { type ScanEvent, type ScanScope } from '#subjects/alerts/answers/options.ts';
import { scannerOfWatched, type ScanBacktest } from './scanAlert.ts';
import { newsLabel, newsStocks } from './watchedNews.ts';
import { type SharedScanner, type WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import {
  filtersText,
  isSameFilters,
  type ScanFilters,
  usualFilters,
} from '#market/scanners/rules/filters.ts';

const labelOf = (scanner: SharedScanner): string =>
  SCAN_FIELDS.find(({ key }) => key === scanFieldOf(scanner))?.label ?? scanner;

/**
 * The name of the watched scan or announcements, within a sentence:
 * 'Pre-Market Scan (price under $1)', 'my scan Breakouts', 'price-sensitive announcements'.
 */
export function scanLabel(scan: WatchedScan): string {
  if (scan.type === 'announcements') return newsLabel(scan);
  const label = scan.type === 'scan' ? savedScanLabel(scan.name) : labelOf(scan.key);
  const filters = scan.filters ? filtersText(scannerOfWatched(scan), scan.filters) : null;
  return filters === null ? label : `${label} (${filters})`;
}

export function isSameScan(one: WatchedScan, other: WatchedScan): boolean {
  return scanKey(one) === scanKey(other) && isSameFilters(filtersOf(one), filtersOf(other));
}

/** Identifies what is watched, without its filters. */
export function scanKey(scan: WatchedScan): string {
  if (scan.type === 'scanner') return scan.key;
  if (scan.type === 'scan') return `scan ${scan.id}`;
  return `announcements ${JSON.stringify([scan.kinds, scan.words.toSorted()])}`;
}

export const filtersOf = (scan: WatchedScan): ScanFilters =>
  scan.filters ?? usualFilters(scannerOfWatched(scan));

export const EVENT_LABELS: Readonly<Record<ScanEvent, string>> = { enters: 'Enters', leaves: 'Leaves' };
export const EVENT_PAST: Readonly<Record<ScanEvent, string>> = { enters: 'Entered', leaves: 'Left' };
export const SCOPE_LABELS: Readonly<Record<ScanScope, string>> = {
  market: 'Whole market',
  watchlist: 'My watchlist',
};

export const scanAlertTitle = ({
  scan,
  event,
  scope,
}: {
  scan: WatchedScan;
  event: ScanEvent;
  scope: ScanScope;
}): string =>
  scan.type === 'announcements'
    ? capitalised(`${newsLabel(scan)} ${newsStocks(scan, scope)}`)
    : `${scope === 'market' ? 'Any stock' : 'A stock I watch'} ${event} ${scanLabel(scan)}`;

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** 'about 12 times a day', for use within a sentence. */
export function aDayText(times: number): string {
  if (times < 0.1) return 'less than once in 10 days';
  if (times < 0.95) return `about ${formatNumber(times * 10, 0)} times in 10 days`;
  const rounded = Math.round(times);
  return rounded === 1 ? 'about once a day' : `about ${formatNumber(rounded, 0)} times a day`;
}

/** The end of a sentence: '14 times for 9 stocks in 20 trading days, 3 on the busiest day'. */
export function firedText({
  fired,
  stocks,
  days,
  busiestDay,
}: Pick<ScanBacktest, 'fired' | 'stocks' | 'days' | 'busiestDay'>): string {
  const span = `in ${days} trading ${days === 1 ? 'day' : 'days'}`;
  if (fired === 0) return `not once ${span}`;
  const times = fired === 1 ? 'once' : `${formatNumber(fired, 0)} times`;
  return `${times} for ${counted(stocks, 'stock')} ${span}, ${formatNumber(busiestDay, 0)} on the busiest day`;
}
