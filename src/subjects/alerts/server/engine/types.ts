import type { Alert } from '../../rules/alert.ts';
import type { AlertNote, NoteContext } from '../../rules/alertMessage.ts';
import type { Evaluation } from '../../rules/evaluation.ts';
import type { Trigger } from '../../rules/trigger.ts';
import type { ChatMessage } from '../../../chats/rules/chatMessage.ts';
import type { ChatPlatform } from '../../../chats/rules/chatPlatform.ts';
import type { ScansOf } from '../../../conditions/rules/savedScan.ts';
import type { Catalog } from '../../../../market/indicators/rules/types.ts';
import type { LongList } from '../../../../lib/inspection.ts';
import type { ChangeSet, Market } from '../../../../market/types.ts';
import type { Core } from '../../../../part.ts';

/** A chat of a user that is confirmed and not broken. */
export type Destination = { platform: ChatPlatform; chatId: string };

/** An alert that was stopped; its conditions would have to be made of the program again. */
export type StoppedAlert = Omit<Alert, 'logic'>;

/** What the engine hands to the outbox: the note of a trigger, or the message of a stop without one. */
export type EngineMessage = Destination & { userId: number } & (
    | { triggerId: number; note: AlertNote }
    | { triggerId: null; message: ChatMessage }
  );

/** What the engine uses of the core. */
export type AlertEngineCore = Pick<Core, 'db' | 'clock' | 'log'> & {
  source: Pick<Core['source'], 'name' | 'label' | 'days' | 'delayMinutes' | 'clock' | 'health' | 'replay'>;
};

export type AlertEngineNeeds = {
  market: Pick<Market, 'get' | 'date' | 'statedQuoteTime'>;
  /** The chats that a user's alerts go to, of every platform; the engine leaves out those that the alert does not name. */
  destinations(userId: number): readonly Destination[];
  /** `add` is called within the engine's own transaction, `wake` after its commit. */
  outbox: { add(messages: readonly EngineMessage[]): void; wake(): void };
  /** What is noted for a trigger's message. @param alert stopped with its reason where this trigger was one too many */
  noteOf(
    trigger: Trigger,
    alert: Pick<Alert, 'name' | 'stoppedReason' | 'note'>,
    context: Pick<NoteContext, 'stock' | 'label'>,
  ): AlertNote;
  /** Names of indicators, for the texts of what was seen; the same object as long as nothing changes. */
  catalog(): Pick<Catalog, 'indicators'>;
  /** The saved scans of an alert's owner. */
  scansOf: ScansOf;
  /** Called after the transaction in which alerts were stopped that had not fired: their stock was split. */
  stopped?(alerts: readonly StoppedAlert[]): void;
  /** Called when an alert that was put in a moment ago turned out to be true already, and waits to be armed. */
  arming?(alert: Pick<Alert, 'id' | 'userId' | 'symbol'>): void;
};

/** Called after the transaction of these triggers: they are on disk with their messages. */
export type TriggerListener = (triggers: readonly Trigger[]) => void;

export type AlertEngine = {
  /**
   * Takes an alert as it is stored now, new or changed; to be called after the commit. It is evaluated at the next tick,
   * whether or not its stock changes, or once the source is back where that brings nothing now. With other conditions or
   * another symbol it begins afresh: no latch, and previous values as they are now; with those that it had before it was
   * changed a moment ago it goes on as it was. An alert that is not active is forgotten.
   */
  put(alert: Alert): void;
  /**
   * Takes an alert as `put` does after a saved scan that it reads was changed, renamed or deleted. With other conditions of
   * the scan it begins afresh too, but what holds at its first evaluation then has not begun to, so that fires nothing.
   */
  putWithScan(alert: Alert, scanId: number): void;
  /** Forgets an alert that was deleted. */
  remove(id: number): void;
  /**
   * The market was taken to another moment. Everything is evaluated there, and nothing fires: what holds at that moment did
   * not begin to hold, and a crossing needs a value from before. A value that is still computed counts so when it comes.
   */
  jump(): void;
  /** One tick; to be called with every change set, after the indicators were written into the Market. */
  onChanges(changes: ChangeSet | null): void;
  /** What the conditions of an active alert see now; null when the engine has no such alert. */
  evaluation(id: number): Evaluation | null;
  /** Whether an alert was true already as it was put in, and fires only when its time to undo that is over. */
  isArming(id: number): boolean;
  /** What conditions that are not saved would see now. */
  preview(alert: Pick<Alert, 'userId' | 'symbol' | 'logic'>): Evaluation;
  /** The result removes the listener. */
  listen(listener: TriggerListener): () => void;
  /**
   * Takes up all active alerts and what an earlier run remembered of them.
   * @returns owners of alerts that the earlier run had switched off, but not in the alerts' own rows
   */
  resume(): readonly number[];
  /**
   * Has on disk what the triggers of these users' alerts change of the alerts; to be called before they are read or
   * changed. @throws what the database throws
   */
  applyDeferred(userIds: readonly number[]): void;
  /** Writes whatever is not on disk yet. */
  flush(): void;
  counts(): { alerts: number; symbols: number; scans: number; unsaved: number; waiting: number };
  /** What is known of each alert, for whoever looks into the running server. */
  held(): LongList;
};
