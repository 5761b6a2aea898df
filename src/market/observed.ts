import { FirstFailure, type Log } from '../lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import { type MarketDeps, MemoryMarket } from './market.ts';
import type { ChangeSet, Market } from './types.ts';

const FAILED = 'An observer of the market failed; prices go on';

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

/** A Market that observers can join; they are told in the order in which they were added. */
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
    this.tell((observer) => observer.applied(codes));
    return answer;
  }

  override restoreStocks(...args: Parameters<Market['restoreStocks']>): string[] {
    const codes = super.restoreStocks(...args);
    this.tell((observer) => observer.applied(codes));
    return codes;
  }

  override remove(codes: readonly string[]): void {
    super.remove(codes);
    this.tell((observer) => observer.removed(codes));
  }

  override jump(...args: Parameters<Market['jump']>): void {
    super.jump(...args);
    this.tell((observer) => observer.jumped?.());
  }

  override flush(): ChangeSet | null {
    this.tell((observer) => observer.beforeFlush());
    return super.flush();
  }

  /** Tells every observer, also after another one failed; a failure that repeats is logged once. */
  private tell(work: (observer: MarketObserver) => void): void {
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

/** The one Market of the process: what sources apply to, routes read and the tick flushes. */
export function createMarketPart({ source, log }: Pick<App, 'log' | 'source'>) {
  const service = new ObservedMarket({ clock: source.clock, days: source.days }, log.child('market'));
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

declare module '#platform/app.ts' {
  interface App {
    market: ObservedMarket;
  }
}
