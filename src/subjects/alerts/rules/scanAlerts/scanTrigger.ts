import type { Destinations } from '../alert.ts';
import type { TriggerView } from '../alertView.ts';
import type { SeenCondition, Trigger } from '../trigger.ts';
import type { ScanAlert, ScanEvent, ScanScope, WatchedScan } from './scanAlert.ts';

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

/** A scan alert as answers carry it. Times are ISO 8601. */
export type ScanAlertView = {
  id: number;
  name: string | null;
  scan: WatchedScan;
  event: ScanEvent;
  scope: ScanScope;
  cooldown_minutes: number;
  day_maximum: number;
  minute_maximum: number;
  active: boolean;
  destinations: Destinations;
  last_triggered_at: string | null;
  /** The same by the market's clock; null where that is not kept any more. */
  last_triggered_market_time: string | null;
  version: number;
  /** It goes on looking but sends nothing until then. */
  snoozed_until: string | null;
  /** The stocks that are not to be told in this session. */
  muted_today: string[];
  /** How many stocks stand in the scan now; null while it is not looked at. */
  in_scan: number | null;
  /** A sentence saying why the scan can't be followed, as it was deleted or waits for values; null when it can. */
  problem: string | null;
};

/** A trigger as answers carry it. */
export type ScanTriggerView = Omit<TriggerView, 'deactivated' | 'delivery'> & {
  /** Null for a sum of several, which `symbols` names. */
  symbol: string | null;
  symbols: string[];
  event: ScanEvent;
  scan: string;
};

/** What a rehearsal over the days of the past found. */
export type ScanRehearsal = {
  fired: number;
  stocks: number;
  /** Trading days that were run; 0 when none could be. */
  days: number;
  /** The most on one day. */
  busiestDay: number;
  /** What fired last, newest first; a day's bar knows no time of day. */
  newest: { symbol: string; date: string }[];
  /** Sentences: what was left out and why. */
  notRehearsed: string[];
};

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
  };
  /** A scan alert was added, changed or removed, in whatever window, chat or way. */
  scan_alert_changed: { scanAlertId: number };
};

/** Tells a user's open windows, wherever there are some. */
export type ScanAlertNotifier = {
  scanAlertTriggered(userId: number, event: ScanAlertEvents['scan_alert_triggered']): void;
  scanAlertChanged(userId: number, scanAlertId: number): void;
};

/** What a user's scan alerts told, for a window that was away. */
export type ScanTriggerHistory = {
  /** The newest trigger of all users; 0 before the first. */
  newest(): number;
  /**
   * Newest first. A sum that had begun before the trigger `after` may be among them though it was told.
   * @param options.after the last trigger that the window knows; @param options.since epoch ms
   */
  missed(
    userId: number,
    options: { after: number; since: number; most: number },
  ): ScanAlertEvents['scan_alert_triggered'][];
};

/** What a change is answered with when another one came first: the alert as it stands. */
export type ScanAlertConflict = { error: string; scan_alert: ScanAlertView };

export type ScanMessageAlert = Pick<ScanAlert, 'id' | 'name'>;
