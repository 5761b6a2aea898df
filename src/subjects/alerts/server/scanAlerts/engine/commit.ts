import type { ScanTrigger } from '../../../rules/scanAlerts/scanTrigger.ts';
import type { Log } from '../../../../../lib/log.ts';
import type { Batch, Deal } from './deal.ts';
import type { ScanSaver } from './saver.ts';
import type { ScanEngineStore } from './store.ts';
import type { Destination, Firing, ScanEngineMessage, ScanEngineNeeds, Sum, Written } from './types.ts';

/** In one tick; at an open a thousand alerts have more, and then the next ticks have their share. */
const MAX_WRITTEN = 300;

export type CommitDeps = Pick<ScanEngineNeeds, 'destinations' | 'outbox' | 'messageOf' | 'told'> & {
  log: Log;
  store: ScanEngineStore;
  deal: Deal;
  saver: Pick<ScanSaver, 'due' | 'write' | 'done'>;
  label(): string;
};

const triggerOf = (id: number, firing: Firing, symbols: readonly string[] = []): ScanTrigger => {
  const { session: _session, scanHash: _scanHash, ...trigger } = firing;
  return { id, symbols, ...trigger };
};

/** Writes what fired, with its messages: both are on disk together, or neither is. */
export function createCommit(deps: CommitDeps) {
  const { log, store, deal, saver, outbox } = deps;
  let isFailing = false;

  function messagesOf(written: readonly Written[]): ScanEngineMessage[] {
    const label = deps.label();
    const chats = new Map<number, readonly Destination[]>();
    return written.flatMap((one) => {
      const { userId, destinations } = one.alert;
      if (one.trigger.silent || !(destinations.telegram || destinations.discord)) return [];
      const own = chats.get(userId) ?? deps.destinations(userId);
      chats.set(userId, own);
      const to = own.filter(({ platform }) => destinations[platform]);
      if (to.length === 0) return [];
      const message = deps.messageOf(one, { label });
      return to.map((chat) => ({ ...chat, userId, message, triggerId: null, scanTriggerId: one.trigger.id }));
    });
  }

  function putSum({ rowId, firing, symbols }: Sum, isOpen: boolean): number {
    if (rowId === null) return store.addTrigger(firing, symbols, isOpen);
    store.changeSum(rowId, symbols, isOpen);
    return rowId;
  }

  /** To be called within a transaction. @returns what is to be told after it, and the rows of new sums */
  function write({ singles, growing, closing }: Batch) {
    const written: Written[] = singles.map(({ entry, firing, stock }) => ({
      trigger: triggerOf(store.addTrigger(firing, [], false), firing),
      alert: entry.alert,
      stock,
    }));
    const rows = growing.map((sum) => [sum, putSum(sum, true)] as const);
    for (const sum of closing) {
      const trigger = triggerOf(putSum(sum, false), sum.firing, sum.symbols);
      written.push({ trigger, alert: sum.entry.alert, stock: null });
    }
    outbox.add(messagesOf(written));
    return { written, rows };
  }

  function commit(batch: Batch): void {
    // Who stands where is saved no sooner than what was told of it. Both at once cost no more than either.
    const isAll = batch.singles.length + batch.growing.length + batch.closing.length === deal.count();
    const states = isAll ? saver.due() : [];
    const { written, rows } = store.inTransaction(() => {
      const done = write(batch);
      saver.write(states);
      return done;
    });
    saver.done(states);
    for (const [sum, rowId] of rows) sum.rowId = rowId;
    deal.written(batch);
    outbox.wake();
    if (written.length > 0) deps.told(written);
  }

  return {
    /** Writes what waits; what can't be written waits on. To be called at every tick. @returns whether anything was written */
    commit(): boolean {
      if (deal.isIdle()) return false;
      const batch = deal.waiting(MAX_WRITTEN);
      if (batch.singles.length + batch.growing.length + batch.closing.length === 0) return false;
      try {
        commit(batch);
        isFailing = false;
        return true;
      } catch (error) {
        if (!isFailing) {
          const waiting = deal.count();
          log.error('Triggers of scan alerts could not be written; trying again at each tick', {
            waiting,
            error,
          });
        }
        isFailing = true;
        return false;
      }
    },
  };
}
