import { guardedBy, type GuardingEvent, type TriggerGuard } from '#subjects/alerts/rules/eventGuard.ts';
import { IN, OUT } from '#subjects/alerts/rules/scanAlerts/membership.ts';
import type { Dealer } from './dealer.ts';
import type { Entry, Firing, ScanEngineNeeds, Sum } from './types.ts';
import type { Watches } from './watches.ts';

export type HeldStocksDeps = Pick<ScanEngineNeeds, 'events'> & {
  watches: Pick<Watches, 'members' | 'stocks'>;
};

/**
 * The stocks that scan alerts would have told and that wait until an event is over. They are a sum that is on disk with the
 * tick of each, so that a restart forgets none.
 */
export class HeldStocks {
  private readonly waiting = new Set<Entry>();

  constructor(private readonly deps: HeldStocksDeps) {}

  /** What an alert has to do with an event now; null for nothing. */
  guardOf({ alert }: Pick<Entry, 'alert'>): TriggerGuard | null {
    const event = this.eventOf(alert);
    if (event === null) return null;
    return alert.guard?.mode === 'mark'
      ? { kind: 'marked', event, since: null }
      : { kind: 'late', event, since: this.deps.events.now() };
  }

  /** A stock begins to wait. @returns the sum in which it does */
  hold(entry: Entry, firing: Firing & { symbol: string }): Sum {
    const { symbol } = firing;
    entry.held ??= {
      entry,
      rowId: null,
      symbols: new Set(),
      firing: { ...firing, symbol: null, seen: [], quoteAt: null },
    };
    entry.held.symbols.add(symbol);
    this.waiting.add(entry);
    return entry.held;
  }

  /** Takes up what an earlier run held back, or gives it to who was put in again. */
  resume(entry: Entry, sum: Sum): void {
    entry.held = sum;
    this.waiting.add(entry);
  }

  /** An alert waits no more. @returns what it waited with */
  release(entry: Entry): Sum | null {
    const { held } = entry;
    entry.held = null;
    this.waiting.delete(entry);
    return held;
  }

  /** Those whose event is over, moved or gone: they are to be decided now. */
  due(): Entry[] {
    if (this.waiting.size === 0) return [];
    return [...this.waiting].filter(
      ({ alert }) => alert.guard?.mode !== 'hold' || this.eventOf(alert) === null,
    );
  }

  /** Whether a stock still is where the alert would have told that it went. A crossing was over at once. */
  stands({ watch, alert }: Entry, code: string): boolean {
    const { stocks, members } = this.deps.watches;
    if (watch.traits.isMomentary) return true;
    const number = stocks.get(code)?.number;
    return number !== undefined && members.get(watch.slot, number) === (alert.event === 'enters' ? IN : OUT);
  }

  private eventOf({ guard }: Entry['alert']): GuardingEvent | null {
    const { events } = this.deps;
    return guard && guardedBy(guard.currencies, events.guarding(), events.now());
  }
}

/** What is told of stocks that waited: those that still stand, or that none does. @param told which of them */
export function decided(sum: Sum, told: ReadonlySet<string>, now: ReturnType<Dealer['moment']>): Sum {
  const { firing } = sum;
  const { guard } = firing;
  const isTold = told.size > 0;
  return {
    ...sum,
    symbols: isTold ? new Set(told) : sum.symbols,
    firing: {
      ...firing,
      ...now,
      silent: isTold ? now.silent : true,
      guard: guard && { ...guard, kind: isTold ? 'late' : 'withheld' },
    },
  };
}
