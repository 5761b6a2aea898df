import { alertNote, type AlertNote, stoppedMessage } from '#subjects/alerts/rules/alertMessage.ts';
import type { Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { Stock } from '#market/rules/stock.ts';
import { FirstFailure } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import { createStockTitles } from '#subjects/alerts/rules/stockTitle.ts';
import { type ActiveAlert, stoppedAlert } from './activeAlerts.ts';
import { Recipients } from '../messages.ts';
import type { EngineMessage, EngineParts, StoppedAlert } from './types.ts';

/** A trigger or stop of an alert; it is written completely or not at all. */
export type AlertOutcome = {
  entry: ActiveAlert;
  /** Null if the alert was stopped without firing. */
  trigger: Trigger | null;
  /** Why the alert was stopped; null if it was not. */
  reason: string | null;
  stock: Stock | null;
};

/**
 * A written outcome and the state of its alert: `gone` if it was changed or deleted. `isApplied` if the alert's row and
 * state are written too.
 */
type Written = { outcome: AlertOutcome; left: 'on' | 'off' | 'gone'; isApplied: boolean };

/** From this number on, the updates of alerts are deferred, because they would take longer than the triggers. */
const LARGE = 200;

/** Whether an error concerns one row. Others, such as a full disk, affect every row. */
const isOfOneRow = (error: unknown): boolean =>
  !(error instanceof Error && 'code' in error) || String(error.code).startsWith('SQLITE_CONSTRAINT');

/** Collects outcomes of alerts and writes them with their messages. */
export class TriggerWriter {
  private waiting: AlertOutcome[] = [];
  private readonly failure: FirstFailure;
  private readonly titleOf = createStockTitles();

  /** @param committed called after the transaction with the written outcomes */
  constructor(
    private readonly app: App,
    private readonly parts: EngineParts,
    private readonly committed: (triggers: readonly Trigger[], stopped: readonly StoppedAlert[]) => void,
  ) {
    const message = 'Could not save alert triggers; trying again at each tick';
    this.failure = new FirstFailure(parts.log, message);
  }

  /** Adds an outcome. The alert is not evaluated until it is on disk. */
  add(outcome: AlertOutcome): void {
    outcome.entry.isWaiting = true;
    this.waiting.push(outcome);
  }

  /** Writes pending outcomes; call it at every tick. Failed ones stay pending. */
  commit(): void {
    if (this.waiting.length === 0) return;
    this.waiting = this.waiting.filter(({ entry }) => !entry.isGone);
    if (this.waiting.length === 0) return;
    // Sorted in disk order, so that each page is read and written once.
    this.waiting.sort((a, b) => a.entry.id - b.entry.id);
    try {
      this.commitThese(this.waiting);
      this.failure.ended();
    } catch (error) {
      this.failed(error);
      if (this.waiting.length > 1 && isOfOneRow(error)) this.commitEach();
    }
  }

  count(): number {
    return this.waiting.length;
  }

  /** Writes outcomes one by one, so that an invalid one does not block the others. */
  private commitEach(): void {
    for (const outcome of this.waiting) {
      try {
        this.commitThese([outcome]);
      } catch (error) {
        this.failed(error);
        if (!isOfOneRow(error)) return;
      }
    }
  }

  private failed(error: unknown): void {
    this.failure.failed(error, { alerts: this.waiting.length });
  }

  private commitThese(outcomes: readonly AlertOutcome[]): void {
    const { written, hasMessages, stateSaved } = this.writeAll(outcomes);
    stateSaved();
    const done = outcomes === this.waiting ? null : new Set(outcomes);
    this.waiting = done === null ? [] : this.waiting.filter((outcome) => !done.has(outcome));
    for (const one of written) this.finish(one);
    if (hasMessages) this.app.outbox.wake();
    this.notify(written);
  }

  /** Writes outcomes in one transaction. @throws errors of database or outbox; then nothing was written */
  private writeAll(outcomes: readonly AlertOutcome[]) {
    const { store, saver, deferredUpdates } = this.parts;
    const isLarge = outcomes.length >= LARGE;
    const work = () => {
      // Done first, because it deletes invalid states, including those of alerts that fire now.
      const stateSaved = saver.writeDue();
      const written = outcomes.map((outcome) => this.write(outcome, isLarge));
      const first = written.find(({ isApplied }) => !isApplied)?.outcome.trigger;
      if (first) deferredUpdates.note(first.id);
      const messages = this.messagesOf(written);
      if (messages.length > 0) this.app.outbox.add(messages);
      return { written, hasMessages: messages.length > 0, stateSaved };
    };
    return isLarge ? store.inLargeTransaction(work) : store.inTransaction(work);
  }

  /** Writes one outcome. Call it in a transaction. @param isLarge whether very many are written at once */
  private write(outcome: AlertOutcome, isLarge: boolean): Written {
    const { store, saver } = this.parts;
    const { entry, trigger, reason } = outcome;
    // The reason of a stop is only stored in the alert's row, so that row is always written.
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

  private messagesOf(written: readonly Written[]): EngineMessage[] {
    const label = this.app.source.label();
    const recipients = new Recipients(this.app.chatsOf);
    const messages: EngineMessage[] = [];
    for (const { outcome, left } of written) {
      const { entry, trigger } = outcome;
      if (left === 'gone' || trigger?.silent) continue;
      const { userId } = entry;
      const chats = recipients.of(userId, entry);
      if (chats.length === 0) continue;
      const content = this.contentOf(outcome, label);
      for (const { platform, chatId } of chats)
        messages.push({ platform, chatId, userId, mayWait: !entry.urgent, ...content });
    }
    return messages;
  }

  /** The message for each of the owner's chats and devices. @param label the source's label */
  private contentOf(outcome: AlertOutcome, label: string) {
    const { entry, trigger, reason } = outcome;
    if (trigger) return { triggerId: trigger.id, note: this.noteOf(outcome, trigger, label) };
    return { triggerId: null, message: stoppedMessage(stoppedAlert(entry, reason)) } as const;
  }

  /** The stored note of a trigger's message. A failure must not block other outcomes. */
  private noteOf({ entry, reason, stock }: AlertOutcome, trigger: Trigger, label: string): AlertNote {
    const { id, name, note, isUntilOpen } = entry;
    const { titleOf } = this;
    try {
      const noted = { name, stoppedReason: reason, note, isUntilOpen };
      return alertNote(trigger, noted, { stock, label, titleOf });
    } catch (error) {
      this.parts.log.error('Could not save the full message of an alert', { alert: id, error });
      const title = `${trigger.symbol} · ${name ?? 'alert'}`;
      return { title, name, stoppedReason: reason, label, note, isUntilOpen };
    }
  }

  /** Updates memory after the commit. */
  private finish({ outcome: { entry, trigger }, left, isApplied }: Written): void {
    const { saver, deferredUpdates, entries } = this.parts;
    entry.isWaiting = false;
    saver.settle(entry);
    const staysOn = left === 'on';
    if (staysOn) entry.lastTriggeredAt = trigger?.triggeredAt ?? entry.lastTriggeredAt;
    if (isApplied) deferredUpdates.drop(entry.id);
    else if (trigger) deferredUpdates.add(entry, trigger, staysOn ? entry : null);
    if (staysOn) return;
    // The state of an inactive alert is never read, so it can be deleted later.
    saver.drop(entry);
    entries.remove(entry);
  }

  private notify(written: readonly Written[]): void {
    const triggers: Trigger[] = [];
    const stopped: StoppedAlert[] = [];
    for (const { outcome, left } of written) {
      if (left === 'gone') continue;
      if (outcome.trigger) triggers.push(outcome.trigger);
      else stopped.push(stoppedAlert(outcome.entry, outcome.reason));
    }
    this.committed(triggers, stopped);
  }
}
