import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { AlertNote } from '#subjects/alerts/rules/alertMessage.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { Log } from '#lib/log.ts';
import type { UndoWindows } from './undoWindows.ts';
import type { DeferredUpdates } from './deferredUpdates.ts';
import type { ActiveAlerts } from './activeAlerts.ts';
import type { StateSaver } from './stateSaver.ts';
import type { AlertEngineStore } from './store.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';

/** A stopped alert, without its conditions, which are in the program. */
export type StoppedAlert = Omit<Alert, 'logic' | 'group' | 'sound'>;

/** The note of a trigger, or a message about a stop without trigger. */
export type EngineMessage = Destination & { userId: number; mayWait: boolean } & (
    | { triggerId: number; note: AlertNote }
    | { triggerId: null; message: ChatMessage }
  );

export type EngineParts = {
  log: Log;
  store: AlertEngineStore;
  entries: ActiveAlerts;
  saver: StateSaver;
  deferredUpdates: DeferredUpdates;
  undoWindows: UndoWindows;
};

/** Called when alerts change without a trigger. */
export type AlertEngineListener = {
  /** Called after the transaction that stopped alerts without a trigger. */
  stopped?(alerts: readonly StoppedAlert[]): void;
  /** Called when an alert that was just saved turns out to be true already, so that its undo window runs. */
  arming?(alert: Pick<Alert, 'id' | 'userId' | 'symbol'>): void;
};

/** Called when these triggers and their messages are on disk. */
export type TriggerListener = (triggers: readonly Trigger[]) => void;
