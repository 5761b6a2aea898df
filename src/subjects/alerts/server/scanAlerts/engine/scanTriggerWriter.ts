import type { ScanTrigger } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { FirstFailure } from '#lib/log.ts';
import type { App } from '#platform/app.ts';
import { asSingle } from '#subjects/alerts/rules/scanAlerts/watchedNews.ts';
import { scanAlertMessage } from '#subjects/alerts/rules/scanAlerts/scanAlertMessage.ts';
import { Recipients } from '#subjects/alerts/server/messages.ts';
import type { Batch, Dispatcher } from './dispatcher.ts';
import type { MemberSaver } from './memberSaver.ts';
import type { NewsWatch } from './newsWatch.ts';
import type { ScanEngineStore } from './store.ts';
import type { Firing, ScanEngineMessage, Sum, Written } from './types.ts';

/** Limit per tick. At the open a thousand alerts have more; these are written in the next ticks. */
const MAX_WRITTEN = 300;

const triggerOf = (id: number, firing: Firing, symbols: Iterable<string> = []): ScanTrigger => {
  const { session: _session, scanHash: _scanHash, ...trigger } = firing;
  return { id, symbols: [...symbols], ...trigger };
};

const sizeOf = ({ singles, growing, closing }: Batch): number =>
  singles.length + growing.length + closing.length;

/** Writes triggers and their messages in one transaction. */
export class ScanTriggerWriter {
  private readonly failure: FirstFailure;

  /** @param committed called after the transaction */
  constructor(
    private readonly app: App,
    private readonly parts: {
      store: ScanEngineStore;
      dispatcher: Dispatcher;
      saver: MemberSaver;
      news: NewsWatch;
    },
    private readonly committed: (written: readonly Written[]) => void,
  ) {
    const message = 'Could not save triggers of scan alerts; trying again at each tick';
    this.failure = new FirstFailure(app.log.child('scanAlerts'), message);
  }

  /** Writes pending rows; call it at every tick. @returns whether anything was written */
  commit(): boolean {
    const { dispatcher } = this.parts;
    if (dispatcher.count === 0) return false;
    const batch = dispatcher.waiting(MAX_WRITTEN);
    if (sizeOf(batch) === 0) return false;
    try {
      this.commitBatch(batch);
      this.failure.ended();
      return true;
    } catch (error) {
      this.failure.failed(error, { waiting: dispatcher.count });
      return false;
    }
  }

  private commitBatch(batch: Batch): void {
    const { store, dispatcher, saver, news } = this.parts;
    // States are saved with or after their triggers. Both in one write cost no more than one.
    const isAll = sizeOf(batch) === dispatcher.count;
    const states = isAll ? saver.behind.due() : [];
    const { written, rows } = store.inTransaction(() => {
      const done = this.write(batch);
      saver.write(states);
      news.saveReached(isAll);
      return done;
    });
    if (states.length > 0) saver.written(states);
    for (const [sum, rowId] of rows) sum.rowId = rowId;
    dispatcher.written(batch);
    this.app.outbox.wake();
    if (written.length > 0) this.committed(written);
  }

  /** Writes a batch. Call it in a transaction. @returns what to send afterwards, and the rows of new summaries */
  private write({ singles, growing, closing }: Batch) {
    const { store } = this.parts;
    const written: Written[] = singles.map(({ entry, firing, stock }) => ({
      trigger: triggerOf(store.addTrigger(firing, [], false), firing),
      alert: entry.alert,
      stock,
    }));
    const rows = growing.map((sum) => [sum, this.putSum(sum, true)] as const);
    for (const sum of closing) {
      if (sum.symbols.size === 0) {
        if (sum.rowId !== null) store.dropSum(sum.rowId);
        continue;
      }
      const trigger = asSingle(triggerOf(this.putSum(sum, false), sum.firing, sum.symbols));
      written.push({ trigger, alert: sum.entry.alert, stock: null });
    }
    this.app.outbox.add(this.messagesOf(written));
    return { written, rows };
  }

  private putSum({ rowId, firing, symbols }: Sum, isOpen: boolean): number {
    const { store } = this.parts;
    if (rowId === null) return store.addTrigger(firing, symbols, isOpen);
    store.changeSum(rowId, firing, symbols, isOpen);
    return rowId;
  }

  private messagesOf(written: readonly Written[]): ScanEngineMessage[] {
    const { chatsOf, config, source } = this.app;
    const context = { label: source.label(), publicUrl: config.publicUrl };
    const recipients = new Recipients(chatsOf);
    return written.flatMap((one) => {
      const { userId, destinations } = one.alert;
      const chats = one.trigger.silent ? [] : recipients.of(userId, destinations);
      if (chats.length === 0) return [];
      const message = scanAlertMessage(one.trigger, one.alert, { ...context, stock: one.stock });
      const scanTriggerId = one.trigger.id;
      const mayWait = !one.alert.urgent;
      return chats.map((chat) => ({ ...chat, userId, mayWait, message, triggerId: null, scanTriggerId }));
    });
  }
}
