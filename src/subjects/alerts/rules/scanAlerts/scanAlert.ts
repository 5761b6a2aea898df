import type { AccessLevel } from '#platform/http/rules/accessLevel.ts';
import type { Destinations } from '../alert.ts';
import type { SCAN_OPTIONS, Values } from '../../answers/options.ts';
import type { ScanRef } from '#subjects/conditions/rules/operand.ts';
import type { ScanFilters } from '#market/scanners/rules/scanFilters.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';

/** The scanners that are the same for everybody. */
export const SHARED_SCANNERS = SCANNER_KEYS.filter((key) => key !== 'custom');
export type SharedScanner = (typeof SHARED_SCANNERS)[number];

/** What a scan alert watches: a scanner, or a scan that its owner saved. */
export type WatchedScan = WatchedScanner | WatchedSaved;

/** @property filters those of its filter bar; absent for the usual ones, as of alerts that were made without */
export type WatchedScanner = { type: 'scanner'; key: SharedScanner; filters?: ScanFilters };
/** @property filters those above the custom scanner; absent for none */
export type WatchedSaved = ScanRef & { filters?: ScanFilters };

/** The scanner whose filter bar a watched scan has. */
export const scannerOfWatched = (scan: WatchedScan): ScannerKey =>
  scan.type === 'scan' ? 'custom' : scan.key;

export const SCAN_EVENTS = ['enters', 'leaves'] as const;
export type ScanEvent = (typeof SCAN_EVENTS)[number];

/** Whose stocks count: all of the market, or those on the owner's watchlist as it stands. */
export const SCAN_SCOPES = ['market', 'watchlist'] as const;
export type ScanScope = (typeof SCAN_SCOPES)[number];

/** What a person chooses of a scan alert. */
export type ScanAlertInput = Values<typeof SCAN_OPTIONS> & {
  scan: WatchedScan;
  active: boolean;
  destinations: Destinations;
};

/** A scan alert as the server keeps it. Times are epoch ms by the wall clock. */
export type ScanAlert = ScanAlertInput & {
  id: number;
  userId: number;
  /** Counts the changes that a person made. */
  version: number;
  lastTriggeredAt: number | null;
  snoozedUntil: number | null;
};

/** This many scan alerts one user may have, by the level that the plan gives. */
export const MAX_SCAN_ALERTS: Readonly<Record<AccessLevel, number>> = { 1: 3, 2: 10, 3: 30, 4: 30 };
