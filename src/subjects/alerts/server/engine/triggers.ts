import type { AlertNote } from '../../rules/alertMessage.ts';
import { stoppedMessage } from '../../rules/stoppedMessage.ts';
import type { Trigger } from '../../rules/trigger.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import type { Log } from '../../../../lib/log.ts';
import { type Entries, type Entry, stoppedAlert } from './entries.ts';
import type { Saver } from './saver.ts';
import type { DeferredUpdates } from './deferredUpdates.ts';
import type { AlertEngineStore } from './store.ts';
import type { AlertEngineNeeds, Destination, EngineMessage, StoppedAlert } from './types.ts';

/** What happened to an alert and must get to the disk, all of it or nothing. */
export type AlertOutcome = {
  entry: Entry;
  /** Null where the alert was stopped without having fired. */
  trigger: Trigger | null;
  /** Why it was stopped; null when it was not. */
  reason: string | null;
  /** The record that was evaluated. */
  stock: Stock | null;
};

export type TriggersDeps = Pick<AlertEngineNeeds, 'destinations' | 'outbox' | 'noteOf'> & {
  log: Log;
  store: AlertEngineStore;
  entries: Entries;
  saver: Saver;
  deferredUpdates: Pick<DeferredUpdates, 'note' | 'add' | 'drop'>;
  source: { label(): string };
  /** Called after the transaction, with what was written. */
  written(triggers: readonly Trigger[], stopped: readonly StoppedAlert[]): void;
};

/**
 * An outcome as it was written, and how it left its alert: `gone` when that had been changed or deleted. `isApplied` when the
 * alert's own row and state are written too.
 */
type Written = { outcome: AlertOutcome; left: 'on' | 'off' | 'gone'; isApplied: boolean };

/** From so many on, what follows for their alerts and moving pages into the database file would take longer than they do. */
const LARGE = 200;

/** A wrong row costs itself alone; anything else, as a full disk, would be met by every other row too. */
const isOfOneRow = (error: unknown): boolean =>
  !(error instanceof Error && 'code' in error) || String(error.code).startsWith('SQLITE_CONSTRAINT');

/** Alerts that fired or were stopped, until they are on disk with their messages. */
export function createTriggers(deps: TriggersDeps) {
  const { log, store, entries, saver, deferredUpdates, source, outbox } = deps;
  let waiting: AlertOutcome[] = [];
  let isFailing = false;

  /** What is noted for a trigger's message. One that can't be made must not keep the others back. */
  function noteOf(
    { entry: { id, name, note }, reason, stock }: AlertOutcome,
    trigger: Trigger,
    label: string,
  ): AlertNote {
    try {
      return deps.noteOf(trigger, { name, stoppedReason: reason, note }, { stock, label });
    } catch (error) {
      log.error('The message of an alert could not be noted in full', { alert: id, error });
      return { title: `${trigger.symbol} · ${name ?? 'alert'}`, name, stoppedReason: reason, label, note };
    }
  }

  /** What goes to each chat of an outcome's owner. @param label the source's */
  function contentOf(outcome: AlertOutcome, label: string) {
    const { entry, trigger, reason } = outcome;
    if (trigger) return { triggerId: trigger.id, note: noteOf(outcome, trigger, label) };
    return { triggerId: null, message: stoppedMessage(stoppedAlert(entry, reason)) } as const;
  }

  /** Writes one outcome. To be called within a transaction. @param isLarge whether it is one of very many */
  function write(outcome: AlertOutcome, isLarge: boolean): Written {
    const { entry, trigger, reason } = outcome;
    // The reason of a stop stands in the alert's row alone.
    const isApplied = !isLarge || reason !== null;
    if (trigger === null) {
      const isStopped = reason !== null && store.stop(entry.id, entry.version, reason);
      return { outcome, left: isStopped ? 'off' : 'gone', isApplied: true };
    }
    const id = store.addTrigger(trigger, entry.version);
    if (id === null) return { outcome, left: 'gone', isApplied: true };
    trigger.id = id;
    if (isApplied) store.applyTrigger(trigger, entry.version, reason);
    if (!trigger.deactivated && isApplied) saver.writeState(entry, trigger.triggeredAt);
    return { outcome, left: trigger.deactivated ? 'off' : 'on', isApplied };
  }

  function messagesOf(written: readonly Written[]): EngineMessage[] {
    const label = source.label();
    const chats = new Map<number, readonly Destination[]>();
    const messages: EngineMessage[] = [];
    for (const { outcome, left } of written) {
      const { userId, telegram, discord } = outcome.entry;
      if (left === 'gone' || outcome.trigger?.silent || !(telegram || discord)) continue;
      const own = chats.get(userId) ?? deps.destinations(userId);
      chats.set(userId, own);
      let content: ReturnType<typeof contentOf> | null = null;
      for (const { platform, chatId } of own) {
        if (!outcome.entry[platform]) continue;
        content ??= contentOf(outcome, label);
        messages.push({ platform, chatId, userId, ...content });
      }
    }
    return messages;
  }

  /** One transaction for all of these. @throws what the database or the outbox throws; then nothing was written */
  function writeAll(outcomes: readonly AlertOutcome[]) {
    const isLarge = outcomes.length >= LARGE;
    const work = () => {
      // First, as it removes what counts no more: also of alerts that fire now.
      const stateSaved = saver.writeDue();
      const written = outcomes.map((outcome) => write(outcome, isLarge));
      const first = written.find(({ isApplied }) => !isApplied)?.outcome.trigger;
      if (first) deferredUpdates.note(first.id);
      const messages = messagesOf(written);
      if (messages.length > 0) outbox.add(messages);
      return { written, hasMessages: messages.length > 0, stateSaved };
    };
    return isLarge ? store.inLargeTransaction(work) : store.inTransaction(work);
  }

  /** What follows in memory from what is on disk. */
  function finish({ outcome: { entry, trigger }, left, isApplied }: Written): void {
    entry.isWaiting = false;
    saver.settle(entry);
    const staysOn = left === 'on';
    if (staysOn) entry.lastTriggeredAt = trigger?.triggeredAt ?? entry.lastTriggeredAt;
    if (isApplied) deferredUpdates.drop(entry.id);
    else if (trigger) deferredUpdates.add(entry, trigger, staysOn ? entry : null);
    if (staysOn) return;
    // Nobody reads the state of an alert that is off, so it may go later.
    saver.drop(entry);
    entries.remove(entry);
  }

  function commit(outcomes: readonly AlertOutcome[]): void {
    const { written, hasMessages, stateSaved } = writeAll(outcomes);
    stateSaved();
    const done = outcomes === waiting ? null : new Set(outcomes);
    waiting = done === null ? [] : waiting.filter((outcome) => !done.has(outcome));
    written.forEach(finish);
    if (hasMessages) outbox.wake();
    const triggers: Trigger[] = [];
    const stopped: StoppedAlert[] = [];
    for (const { outcome, left } of written) {
      if (left === 'gone') continue;
      if (outcome.trigger) triggers.push(outcome.trigger);
      else stopped.push(stoppedAlert(outcome.entry, outcome.reason));
    }
    deps.written(triggers, stopped);
  }

  function failed(error: unknown): void {
    if (!isFailing) {
      const alerts = waiting.length;
      log.error('Triggers of alerts could not be written; trying again at each tick', { alerts, error });
    }
    isFailing = true;
  }

  /** Each by itself, so that one that can't be written keeps no other back. */
  function commitEach(): void {
    for (const outcome of waiting) {
      try {
        commit([outcome]);
      } catch (error) {
        failed(error);
        if (!isOfOneRow(error)) return;
      }
    }
  }

  return {
    /** Takes note that an alert fired or was stopped; it is not evaluated until that is on disk. */
    add(outcome: AlertOutcome): void {
      outcome.entry.isWaiting = true;
      waiting.push(outcome);
    },

    /** Writes whatever waits; what can't be written waits on. To be called at every tick. */
    commit(): void {
      if (waiting.length === 0) return;
      waiting = waiting.filter(({ entry }) => !entry.isGone);
      if (waiting.length === 0) return;
      // In the order in which they lie on the disk: each page is read and written once.
      waiting.sort((a, b) => a.entry.id - b.entry.id);
      try {
        commit(waiting);
        isFailing = false;
      } catch (error) {
        failed(error);
        if (waiting.length > 1 && isOfOneRow(error)) commitEach();
      }
    },

    count: (): number => waiting.length,
  };
}
