import { formatNumber } from '../../../../texts/format.ts';
import { SCAN_FIELDS, savedScanLabel, scanFieldOf } from '../../../conditions/rules/scanFields.ts';
import type { CountRange, ScanEvent, ScanScope, SharedScanner, WatchedScan } from './scanAlert.ts';

const labelOf = (scanner: SharedScanner): string =>
  SCAN_FIELDS.find(({ key }) => key === scanFieldOf(scanner))?.label ?? scanner;

/** What a watched scan is called within a sentence: 'Pre-Market Scan', 'my scan Breakouts'. */
export const scanLabel = (scan: WatchedScan): string =>
  scan.type === 'scanner' ? labelOf(scan.key) : savedScanLabel(scan.name);

export const EVENT_LABELS: Readonly<Record<ScanEvent, string>> = { enters: 'Enters', leaves: 'Leaves' };
export const EVENT_PAST: Readonly<Record<ScanEvent, string>> = { enters: 'Entered', leaves: 'Left' };
export const SCOPE_LABELS: Readonly<Record<ScanScope, string>> = {
  market: 'All the market',
  watchlist: 'My watchlist',
};

/** A scan alert in a sentence: 'any stock enters Pre-Market Scan'. */
export const scanAlertTitle = ({
  scan,
  event,
  scope,
}: {
  scan: WatchedScan;
  event: ScanEvent;
  scope: ScanScope;
}): string => `${scope === 'market' ? 'Any stock' : 'A stock I watch'} ${event} ${scanLabel(scan)}`;

/** 'from 1 to 20'. */
export const rangeText = ({ least, most }: CountRange): string => `from ${least} to ${most}`;

/** What was run of the past, in a sentence: 'Would have fired 14 times for 9 stocks'. */
export function rehearsedText(fired: number, stocks: number): string {
  if (fired === 0) return 'Would not have fired';
  const times = fired === 1 ? 'once' : `${formatNumber(fired, 0)} times`;
  return `Would have fired ${times} for ${stocks === 1 ? '1 stock' : `${formatNumber(stocks, 0)} stocks`}`;
}
