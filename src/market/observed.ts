import type { Log } from '../lib/log.ts';
import type { Core, Part } from '../part.ts';
import { createMarket } from './market.ts';
import type { Market } from './types.ts';

/** Who works along with the Market. What it throws costs its own work, never the prices. */
export type MarketObserver = {
  /** Names it in the log. */
  readonly name: string;
  /** A batch was applied. @param codes those in the batch, refused ones among them */
  applied(codes: readonly string[]): void;
  removed(codes: readonly string[]): void;
  /**
   * A change set is about to be collected: what is written into the Market now rides in the same change set as the
   * trade that it comes from.
   */
  beforeFlush(): void;
  /**
   * The market's clock was taken to another moment, back or ahead, and the Market is in the state of that moment: what was
   * remembered of the stocks, of time and of the session counts no more, and the difference is nothing that was traded.
   */
  jumped?(): void;
};

export type ObservedMarket = Market & {
  /** Adds an observer; observers are told in the order in which they were added. */
  observe(observer: MarketObserver): void;
};

/** Tells every observer, also after another one failed; a failure that repeats is logged once. */
function createObservers(log: Log) {
  const observers: { observer: MarketObserver; isFailing: boolean }[] = [];
  return {
    add: (observer: MarketObserver): void => void observers.push({ observer, isFailing: false }),
    tell(work: (observer: MarketObserver) => void): void {
      for (const entry of observers) {
        try {
          work(entry.observer);
          entry.isFailing = false;
        } catch (error) {
          const { name: observer } = entry.observer;
          if (!entry.isFailing)
            log.error('An observer of the market failed; prices go on', { observer, error });
          entry.isFailing = true;
        }
      }
    },
  };
}

/** A Market that observers can join. */
export function observeMarket(market: Market, log: Log): ObservedMarket {
  const observers = createObservers(log);
  return {
    ...market,
    observe: observers.add,
    apply(updates) {
      const answer = market.apply(updates);
      const codes = updates.map((update) => update.code);
      observers.tell((observer) => observer.applied(codes));
      return answer;
    },
    remove(codes) {
      market.remove(codes);
      observers.tell((observer) => observer.removed(codes));
    },
    jump(state, play) {
      market.jump(state, play);
      observers.tell((observer) => observer.jumped?.());
    },
    flush() {
      observers.tell((observer) => observer.beforeFlush());
      return market.flush();
    },
  };
}

/** The one Market of the process: what sources apply to, routes read and the tick flushes. */
export function createMarketPart({ source, log }: Pick<Core, 'source' | 'log'>) {
  const service = observeMarket(
    createMarket({ clock: source.clock, days: source.days }),
    log.child('market'),
  );
  return {
    name: 'market',
    service,
    inspect: () => ({
      label: 'Market',
      description: 'The record of every stock as it stands now.',
      type: 'map' as const,
      summary: { stocks: service.all().size, date: service.date() },
      data: () => Object.fromEntries(service.all()),
    }),
  } satisfies Part;
}
