import { FirstFailure, type Log } from '../lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import { type MarketDeps, MemoryMarket } from './market.ts';
import type { ChangeSet, Market } from './types.ts';

const FAILED = 'An observer of the market failed; prices continue';

/** Observes the Market. An exception loses only the observer's own work, not prices. */
export type MarketObserver = {
  readonly name: string;
  applied(codes: readonly string[]): void;
  removed(codes: readonly string[]): void;
  /** Called before a change set is collected. Values written now are sent together with their trade. */
  beforeFlush(): void;
  /**
   * The market's clock jumped, and the Market has the new state. Earlier knowledge of stocks, time and
   * session is invalid, and the difference was not traded.
   */
  jumped?(): void;
};

export class ObservedMarket extends MemoryMarket {
  private readonly observers: { observer: MarketObserver; failure: FirstFailure }[] = [];

  constructor(
    deps: MarketDeps,
    private readonly log: Log,
  ) {
    super(deps);
  }

  observe(observer: MarketObserver): void {
    this.observers.push({ observer, failure: new FirstFailure(this.log, FAILED) });
  }

  override apply(updates: Parameters<Market['apply']>[0]): ReturnType<Market['apply']> {
    const answer = super.apply(updates);
    const codes = updates.map((update) => update.code);
    this.notify((observer) => observer.applied(codes));
    return answer;
  }

  override restoreStocks(...args: Parameters<Market['restoreStocks']>): string[] {
    const codes = super.restoreStocks(...args);
    this.notify((observer) => observer.applied(codes));
    return codes;
  }

  override remove(codes: readonly string[]): void {
    super.remove(codes);
    this.notify((observer) => observer.removed(codes));
  }

  override jump(...args: Parameters<Market['jump']>): void {
    super.jump(...args);
    this.notify((observer) => observer.jumped?.());
  }

  override flush(): ChangeSet | null {
    this.notify((observer) => observer.beforeFlush());
    return super.flush();
  }

  private notify(work: (observer: MarketObserver) => void): void {
    for (const { observer, failure } of this.observers) {
      try {
        work(observer);
        failure.ended();
      } catch (error) {
        failure.failed(error, { observer: observer.name });
      }
    }
  }
}

/** The one Market of the process: sources write to it, routes read it and the tick flushes it. */
export function createMarketPart({ source, log }: Pick<App, 'log' | 'source'>) {
  const service = new ObservedMarket({ clock: source.clock, days: source.days }, log.child('market'));
  return {
    name: 'market',
    service,
    inspect: () => ({
      label: 'Market',
      description: 'The current record of every stock.',
      type: 'map' as const,
      summary: { stocks: service.all().size, date: service.date() },
      data: () => Object.fromEntries(service.all()),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    market: ObservedMarket;
  }
}
