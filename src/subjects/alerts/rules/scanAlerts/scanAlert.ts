import type { Wire } from '#lib/contract/fields.ts';
import type { ScanFilters } from '#market/scanners/rules/scanFilters.ts';
import { SCANNER_KEYS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { AccessLevel } from '#platform/http/rules/accessLevel.ts';
import type { SCAN_OPTIONS, Values } from '#subjects/alerts/answers/options.ts';
import type {
  scanAlert,
  scanRehearsal,
  scanTrigger,
  stricterScan,
} from '#subjects/alerts/answers/scanAlert.ts';
import type { ScanRef } from '#subjects/conditions/rules/operand.ts';
import type { Destinations } from '../alert.ts';
import type { SeenCondition, Trigger } from '../trigger.ts';

/** The scanners that are the same for everybody. */
export const SHARED_SCANNERS = SCANNER_KEYS.filter((key) => key !== 'custom');
export type SharedScanner = (typeof SHARED_SCANNERS)[number];

/** What a scan alert watches: a scanner, or a scan that its owner saved. */
export type WatchedScan = WatchedScanner | WatchedSaved;

/** @property filters those of its filter bar; absent for the usual ones, as of alerts that were made without */
export type WatchedScanner = { type: 'scanner'; key: SharedScanner; filters?: ScanFilters };
/** @property filters those above the custom scanner; absent for none */
type WatchedSaved = ScanRef & { filters?: ScanFilters };

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

/** One stock entered or left the scan of an alert, or a sum of several, of which nothing is seen. Times are epoch ms. */
export type ScanTrigger = Omit<Trigger, 'alertId' | 'symbol' | 'deactivated'> & {
  scanAlertId: number;
  /** Null for a sum. */
  symbol: string | null;
  /** Of a sum, in the order in which they came; empty otherwise. */
  symbols: readonly string[];
  event: ScanEvent;
  /** What the scan was called then, as within a sentence. */
  scanLabel: string;
};

// What leaves the server, as the contract has it.
export type ScanAlertView = Wire<typeof scanAlert>;
export type ScanTriggerView = Wire<typeof scanTrigger>;
export type ScanRehearsal = Wire<typeof scanRehearsal>;
export type StricterScan = Wire<typeof stricterScan>;

/** The events of the alert stream that tell of scan alerts. */
export type ScanAlertEvents = {
  scan_alert_triggered: {
    scanAlertId: number;
    triggerId: number;
    /** ISO 8601, by the wall clock. */
    timestamp: string;
    /** By the market's clock. */
    marketTime: string;
    /** Null for a sum of several. */
    symbol: string | null;
    name: string | null;
    /** The trigger in words. */
    text: string;
    seen: readonly SeenCondition[];
    silent: boolean;
    /** What windows play; null for what each browser plays. */
    sound: ScanAlert['sound'];
  };
  /** A scan alert was added, changed or removed, in whatever window, chat or way. */
  scan_alert_changed: { scanAlertId: number };
};

/** Tells a user's open windows, wherever there are some. */
export type ScanAlertNotifier = {
  scanAlertTriggered(userId: number, event: ScanAlertEvents['scan_alert_triggered']): void;
  scanAlertChanged(userId: number, scanAlertId: number): void;
};

export type ScanMessageAlert = Pick<ScanAlert, 'id' | 'name'>;
