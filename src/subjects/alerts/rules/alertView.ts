import type { Wire } from '#lib/contract/fields.ts';
import type { alert, alertConflict, evaluation, trigger } from '../answers/alert.ts';
import type { AccountEvents } from '#subjects/accounts/rules/accountRules.ts';
import type { CallEvents } from '#subjects/calls/rules/types.ts';
import type { TransferEvents } from '#subjects/transfer/rules/kind.ts';
import type { ScanAlertEvents } from './scanAlerts/scanAlert.ts';
import type { AlertSound } from '../answers/options.ts';
import type { SeenCondition } from './trigger.ts';

export type Evaluation = {
  /** Time of the evaluation by the market's clock, epoch ms; null before the first. */
  at: number | null;
  /** Why the alert cannot be evaluated now, without a full stop: 'BHP is halted'. */
  notEvaluated: string | null;
  /** One member per condition, including those of groups, in their order; with the known values. */
  conditions: SeenCondition[];
  holds: boolean | null;
  /** The calendar event that a message would mention now. */
  guard: string | null;
};

export type AlertView = Wire<typeof alert>;
export type AlertConflict = Wire<typeof alertConflict>;
export type EvaluationView = Wire<typeof evaluation>;
export type TriggerView = Wire<typeof trigger>;

/** Events of the alert stream (specification 7.3), including account events but not `ping`. */
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
      deactivated: boolean;
      symbol: string;
      name: string | null;
      text: string;
      seen: readonly SeenCondition[];
      silent: boolean;
      sound: AlertSound | null;
    };
    /**
     * An alert was added, changed or removed. Without `alertId`, that symbol's watchlist item changed; without both,
     * the client may have missed anything and reloads all.
     */
    alert_changed: { alertId: number | null; symbol: string | null };
  };
