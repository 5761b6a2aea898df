import type { ScanTrigger } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { FirstFailure, type Log } from '#lib/log.ts';
import { Recipients } from '#subjects/alerts/server/engine/recipients.ts';
import type { Batch, Dealer } from './dealer.ts';
import type { MemberSaver } from './memberSaver.ts';
import type { ScanEngineStore } from './store.ts';
import type { Firing, ScanEngineMessage, ScanEngineNeeds, Sum, Written } from './types.ts';

/** In one tick; at an open a thousand alerts have more, and then the next ticks have their share. */
const MAX_WRITTEN = 300;

export type ScanTriggerWriterDeps = Pick<
  ScanEngineNeeds,
  'destinations' | 'outbox' | 'messageOf' | 'told'
> & {
  log: Log;
  store: ScanEngineStore;
  dealer: Dealer;
  saver: MemberSaver;
  label(): string;
};

const triggerOf = (id: number, firing: Firing, symbols: Iterable<string> = []): ScanTrigger => {
  const { session: _session, scanHash: _scanHash, ...trigger } = firing;
  return { id, symbols: [...symbols], ...trigger };
};

const sizeOf = ({ singles, growing, closing }: Batch): number =>
  singles.length + growing.length + closing.length;

/** Writes what fired, with its messages: both are on disk together, or neither is. */
export class ScanTriggerWriter {
  private readonly failure: FirstFailure;

  constructor(private readonly deps: ScanTriggerWriterDeps) {
    const message = 'Triggers of scan alerts could not be written; trying again at each tick';
    this.failure = new FirstFailure(deps.log, message);
  }

  /** Writes what waits; what can't be written waits on. To be called at every tick. @returns whether anything was written */
  commit(): boolean {
    const { dealer } = this.deps;
    if (dealer.count === 0) return false;
    const batch = dealer.waiting(MAX_WRITTEN);
    if (sizeOf(batch) === 0) return false;
    try {
      this.commitBatch(batch);
      this.failure.ended();
      return true;
    } catch (error) {
      this.failure.failed(error, { waiting: dealer.count });
      return false;
    }
  }

  private commitBatch(batch: Batch): void {
    const { store, dealer, saver, outbox, told } = this.deps;
    // Who stands where is saved no sooner than what was told of it. Both at once cost no more than either.
    const states = sizeOf(batch) === dealer.count ? saver.behind.due() : [];
    const { written, rows } = store.inTransaction(() => {
      const done = this.write(batch);
      saver.write(states);
      return done;
    });
    if (states.length > 0) saver.written(states);
    for (const [sum, rowId] of rows) sum.rowId = rowId;
    dealer.written(batch);
    outbox.wake();
    if (written.length > 0) told(written);
  }

  /** To be called within a transaction. @returns what is to be told after it, and the rows of new sums */
  private write({ singles, growing, closing }: Batch) {
    const { store, outbox } = this.deps;
    const written: Written[] = singles.map(({ entry, firing, stock }) => ({
      trigger: triggerOf(store.addTrigger(firing, [], false), firing),
      alert: entry.alert,
      stock,
    }));
    const rows = growing.map((sum) => [sum, this.putSum(sum, true)] as const);
    for (const sum of closing) {
      const trigger = triggerOf(this.putSum(sum, false), sum.firing, sum.symbols);
      written.push({ trigger, alert: sum.entry.alert, stock: null });
    }
    outbox.add(this.messagesOf(written));
    return { written, rows };
  }

  private putSum({ rowId, firing, symbols }: Sum, isOpen: boolean): number {
    const { store } = this.deps;
    if (rowId === null) return store.addTrigger(firing, symbols, isOpen);
    store.changeSum(rowId, firing, symbols, isOpen);
    return rowId;
  }

  private messagesOf(written: readonly Written[]): ScanEngineMessage[] {
    const label = this.deps.label();
    const recipients = new Recipients(this.deps.destinations);
    return written.flatMap((one) => {
      const { userId, destinations } = one.alert;
      const chats = one.trigger.silent ? [] : recipients.of(userId, destinations);
      if (chats.length === 0) return [];
      const message = this.deps.messageOf(one, { label });
      const scanTriggerId = one.trigger.id;
      const mayWait = !one.alert.urgent;
      return chats.map((chat) => ({ ...chat, userId, mayWait, message, triggerId: null, scanTriggerId }));
    });
  }
}
