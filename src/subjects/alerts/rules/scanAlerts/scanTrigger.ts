import type { Wire } from '#lib/contract/fields.ts';
import type {
  scanAlert,
  scanRehearsal,
  scanTrigger,
  stricterScan,
} from '#subjects/alerts/answers/scanAlert.ts';
import type { SeenCondition, Trigger } from '../trigger.ts';
import type { ScanAlert, ScanEvent } from './scanAlert.ts';

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
