import type { Alert } from '#subjects/alerts/rules/alert.ts';
import type { AlertNote, NoteContext, NotedAlert } from '#subjects/alerts/rules/alertMessage.ts';
import type { GuardingEvent } from '#subjects/alerts/rules/eventGuard.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { ScansOf } from '#subjects/conditions/rules/savedScan.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Adjustments } from '#market/splits.ts';
import type { Market } from '#market/types.ts';
import type { Destination } from '#subjects/alerts/rules/recipient.ts';

/** An alert that was stopped; its conditions would have to be made of the program again. */
export type StoppedAlert = Omit<Alert, 'logic' | 'group' | 'sound'>;

/** What the engine hands to the outbox: the note of a trigger, or the message of a stop without one. */
export type EngineMessage = Destination & { userId: number; mayWait: boolean } & (
    | { triggerId: number; note: AlertNote }
    | { triggerId: null; message: ChatMessage }
  );

export type AlertEngineNeeds = {
  market: Pick<Market, 'get' | 'date' | 'statedQuoteTime'>;
  /** Splits and consolidations: prices in older alerts fit no more. */
  adjustments: Pick<Adjustments, 'latest'>;
  /** The chats that a user's alerts go to, of every platform; the engine leaves out those that the alert does not name. */
  destinations(userId: number): readonly Destination[];
  /** `add` is called within the engine's own transaction, `wake` after its commit. */
  outbox: { add(messages: readonly EngineMessage[]): void; wake(): void };
  /** What is noted for a trigger's message. @param alert stopped with its reason where this trigger was one too many */
  noteOf(trigger: Trigger, alert: NotedAlert, context: Pick<NoteContext, 'stock' | 'label'>): AlertNote;
  /** Names of indicators, for the texts of what was seen; the same object as long as nothing changes. */
  catalog(): Pick<Catalog, 'indicators'>;
  /** The saved scans of an alert's owner. */
  scansOf: ScansOf;
  /** The events of HIGH impact within five minutes of now, by the clock of the calendar. */
  events: { guarding(): readonly GuardingEvent[]; now(): number };
  /** Called after the transaction in which alerts were stopped that had not fired: their stock was split. */
  stopped?(alerts: readonly StoppedAlert[]): void;
  /**
   * Puts the announcements on the disk that the stocks show and that wait to be written; called before each transaction, as
   * an alert may have looked at them.
   */
  noteNews?(): void;
  /** Called when an alert that was put in a moment ago turned out to be true already, and waits to be armed. */
  arming?(alert: Pick<Alert, 'id' | 'userId' | 'symbol'>): void;
};

/** Called after the transaction of these triggers: they are on disk with their messages. */
export type TriggerListener = (triggers: readonly Trigger[]) => void;
