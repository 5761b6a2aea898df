import type { Wire } from '#lib/contract/fields.ts';
import type { alert, alertConflict, evaluation, trigger } from '../answers/alert.ts';
import type { AccountEvents } from '#subjects/accounts/rules/accountRules.ts';
import type { CallEvents } from '#subjects/calls/rules/types.ts';
import type { TransferEvents } from '#subjects/transfer/rules/kind.ts';
import type { ScanAlertEvents } from './scanAlerts/scanAlert.ts';
import type { AlertSound } from './alert.ts';
import type { SeenCondition } from './trigger.ts';

/** The last evaluation of an alert, condition by condition. */
export type Evaluation = {
  /** By the market's clock, epoch ms; null when it was not evaluated yet. */
  at: number | null;
  /** A sentence without a final stop saying why it can't be evaluated now: 'BHP is halted'; null when it was. */
  notEvaluated: string | null;
  /** One per condition, groups included, in their order; with the values that are known. */
  conditions: SeenCondition[];
  /** Whether the whole holds; null when it was not evaluated. */
  holds: boolean | null;
  /** The event that it mentions if it fires now, in a line; null for none. */
  guard: string | null;
};

// What leaves the server, as the contract has it.
export type AlertView = Wire<typeof alert>;
export type AlertConflict = Wire<typeof alertConflict>;
export type EvaluationView = Wire<typeof evaluation>;
export type TriggerView = Wire<typeof trigger>;

/** The events of the alert stream (specification 7.3), with what it tells of the account; `ping` besides. */
export type AlertStreamEvents = AccountEvents &
  CallEvents &
  TransferEvents &
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
      /** What windows play; null for what each browser plays. */
      sound: AlertSound | null;
    };
    /**
     * An alert was added, changed or removed, in whatever window, chat or way. Without `alertId` it was the place of that
     * symbol on the watchlist; without either the client may have missed anything, and reads all of it again.
     */
    alert_changed: { alertId: number | null; symbol: string | null };
  };
