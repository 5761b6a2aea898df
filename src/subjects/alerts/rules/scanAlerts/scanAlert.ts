import type { WatchedScan } from '../../answers/scanAlert.ts';
import type { ScanEvent } from '../../answers/options.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { SCAN_OPTIONS, Values } from '#subjects/alerts/answers/options.ts';
import type {
  scanAlert,
  scanBacktest,
  scanTrigger,
  stricterScan,
} from '#subjects/alerts/answers/scanAlert.ts';
import type { Destinations } from '../recipient.ts';
import type { SeenCondition, Trigger } from '../trigger.ts';

export const scannerOfWatched = (scan: WatchedScan): ScannerKey =>
  scan.type === 'scanner' ? scan.key : 'custom';

export type ScanAlertInput = Values<typeof SCAN_OPTIONS> & {
  scan: WatchedScan;
  active: boolean;
  destinations: Destinations;
};

/** Times are epoch ms by the wall clock. */
export type ScanAlert = ScanAlertInput & {
  id: number;
  userId: number;
  version: number;
  lastTriggeredAt: number | null;
  snoozedUntil: number | null;
};

/** An announcement that an alert reported. */
export type Announced = {
  /** The provider's id of the document. */
  id: string;
  code: string;
  headline: string;
  isPriceSensitive: boolean;
  url: string | null;
  /** Release date in Sydney, YYYY-MM-DD. */
  date: string;
  /** Release time, epoch ms; older rows have none. */
  time?: number;
};

/** One stock entered or left the scan, or several did (a summary, without seen values). Times are epoch ms. */
export type ScanTrigger = Omit<Trigger, 'alertId' | 'symbol' | 'deactivated'> & {
  scanAlertId: number;
  symbol: string | null;
  /** The stocks of a summary in order of arrival; otherwise empty. */
  symbols: readonly string[];
  /** In order of arrival; null unless the alert watches announcements. */
  announcements: readonly Announced[] | null;
  event: ScanEvent;
  /** The scan's name when the alert fired, for use within a sentence. */
  scanLabel: string;
};

export type ScanAlertView = Wire<typeof scanAlert>;
export type ScanTriggerView = Wire<typeof scanTrigger>;
export type ScanBacktest = Wire<typeof scanBacktest>;
export type StricterScan = Wire<typeof stricterScan>;

export type ScanAlertEvents = {
  scan_alert_triggered: {
    scanAlertId: number;
    triggerId: number;
    /** ISO 8601, by the wall clock. */
    timestamp: string;
    /** By the market's clock. */
    marketTime: string;
    symbol: string | null;
    name: string | null;
    text: string;
    seen: readonly SeenCondition[];
    silent: boolean;
    sound: ScanAlert['sound'];
  };
  scan_alert_changed: { scanAlertId: number };
};

export type ScanAlertNotifier = {
  scanAlertTriggered(userId: number, event: ScanAlertEvents['scan_alert_triggered']): void;
  scanAlertChanged(userId: number, scanAlertId: number): void;
};

export type ScanMessageAlert = Pick<ScanAlert, 'id' | 'name'>;
