import type { AccountEvents } from '../../accounts/rules/accountState.ts';
import type { CallEvents } from '../../calls/rules/types.ts';
import type { ChatPlatform } from '../../chats/rules/chatPlatform.ts';
import type { Logic } from '../../conditions/rules/condition.ts';
import type { ScanAlertEvents } from './scanAlerts/scanTrigger.ts';
import type { Destinations } from './alert.ts';
import type { SeenCondition } from './trigger.ts';

/** What becomes of a message, from the best to the worst. */
export const DELIVERIES = ['sent', 'waiting', 'failed'] as const;
/** What became of the messages of a trigger: the worst of them. */
export type Delivery = (typeof DELIVERIES)[number];

/** What became of the messages of a trigger to the chats of a platform: the worst of them. */
export type SentTo = { platform: ChatPlatform; delivery: Delivery };

/** The worst of what became of a trigger's messages; null where nothing was to be sent. */
export const worstOf = (sent: readonly SentTo[]): Delivery | null =>
  DELIVERIES.findLast((one) => sent.some(({ delivery }) => delivery === one)) ?? null;

/** An alert as answers carry it (specification, section 3). Times are ISO 8601. */
export type AlertView = {
  id: number;
  symbol: string;
  name: string | null;
  active: boolean;
  persistent: boolean;
  logic_json: Logic;
  destinations: Destinations;
  /** By the wall clock. */
  last_triggered_at: string | null;
  /** The same by the market's clock, as long as the trigger is kept. */
  last_triggered_market_time: string | null;
  /** The version that a change is made on; see `AlertConflict`. */
  version: number;
  /** It is evaluated but sends nothing until then. */
  snoozed_until: string | null;
  /** A sentence saying why it was stopped without its owner. */
  stopped_reason: string | null;
  /** What its owner wrote to go into its message. */
  note: string | null;
  /** From then on it is off, by the market's clock. */
  expires_at: string | null;
  /**
   * It was already true as it was saved, and fires in so many ms, of this answer on, unless that is undone; null for any
   * other. A length, because the clocks of browsers are not to be relied on.
   */
  arms_in_ms: number | null;
  /** Of the last trigger; null where nothing was to be sent. */
  delivery: Delivery | null;
  /** A sentence saying what its conditions read that no longer exists, as a deleted scan; null when everything does. */
  problem: string | null;
};

/** A trigger as answers carry it. Times are ISO 8601. */
export type TriggerView = {
  id: number;
  /** By the wall clock. */
  timestamp: string;
  /** By the market's clock. */
  marketTime: string;
  seen: SeenCondition[];
  /** When the quote was made, by the market's clock; null when that is not known. */
  quoteTime: string | null;
  /** The name of the source of prices. */
  source: string;
  delayMinutes: number;
  deactivated: boolean;
  /** It fired while snoozed: nothing was sent. */
  silent: boolean;
  delivery: Delivery | null;
};

/** The events of the alert stream (specification 7.3), with what it tells of the account; `ping` besides. */
export type AlertStreamEvents = AccountEvents &
  CallEvents &
  ScanAlertEvents & {
    alert_triggered: {
      alertId: number;
      triggerId: number;
      /** ISO 8601, by the wall clock. */
      timestamp: string;
      /** By the market's clock. */
      marketTime: string;
      /** The trigger switched the alert off. */
      deactivated: boolean;
      symbol: string;
      name: string | null;
      /** The trigger in words. */
      text: string;
      seen: readonly SeenCondition[];
      /** It fired while snoozed: nobody is to be disturbed. */
      silent: boolean;
    };
    /**
     * An alert was added, changed or removed, in whatever window, chat or way. Without `alertId` it was the place of that
     * symbol on the watchlist; without either the client may have missed anything, and reads all of it again.
     */
    alert_changed: { alertId: number | null; symbol: string | null };
  };

/** What a change is answered with when another one came first: the alert as it stands. */
export type AlertConflict = { error: string; alert: AlertView };
