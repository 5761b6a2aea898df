import { SCAN_FIELDS, savedScanLabel, scanFieldOf } from '../conditions/scanFields.ts';
import type { CountRange, ScanEvent, SharedScanner, WatchedScan } from './scanAlert.ts';

const labelOf = (scanner: SharedScanner): string =>
  SCAN_FIELDS.find(({ key }) => key === scanFieldOf(scanner))?.label ?? scanner;

/** What a watched scan is called within a sentence: 'Pre-Market Scan', 'my scan Breakouts'. */
export const scanLabel = (scan: WatchedScan): string =>
  scan.type === 'scanner' ? labelOf(scan.key) : savedScanLabel(scan.name);

export const EVENT_PAST: Readonly<Record<ScanEvent, string>> = { enters: 'Entered', leaves: 'Left' };

/** 'from 1 to 20'. */
export const rangeText = ({ least, most }: CountRange): string => `from ${least} to ${most}`;
