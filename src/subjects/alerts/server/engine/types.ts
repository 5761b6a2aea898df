import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { AlertNote } from '#subjects/alerts/rules/alertMessage.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { Log } from '#lib/log.ts';
import type { Arming } from './arming.ts';
import type { DeferredUpdates } from './deferredUpdates.ts';
import type { Entries } from './entries.ts';
import type { StateSaver } from './stateSaver.ts';
import type { AlertEngineStore } from './store.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';

/** A stopped alert, without conditions because the program holds them. */
export type StoppedAlert = Omit<Alert, 'logic' | 'group' | 'sound'>;

/** The note of a trigger, or the message of a stop without one. */
export type EngineMessage = Destination & { userId: number; mayWait: boolean } & (
    | { triggerId: number; note: AlertNote }
    | { triggerId: null; message: ChatMessage }
  );

export type EngineParts = {
  log: Log;
  store: AlertEngineStore;
  entries: Entries;
  saver: StateSaver;
  deferredUpdates: DeferredUpdates;
  arming: Arming;
};

/** What is called when alerts change without a trigger. */
export type AlertEngineListener = {
  /** Called after the transaction that stopped alerts which had not fired: their stock was split. */
  stopped?(alerts: readonly StoppedAlert[]): void;
  /** Called when an alert that was just saved turned out to be true already and waits until it may fire. */
  arming?(alert: Pick<Alert, 'id' | 'userId' | 'symbol'>): void;
};

/** Called when these triggers and their messages are on disk. */
export type TriggerListener = (triggers: readonly Trigger[]) => void;
