import type { Db } from '../../db/open.ts';
import type { Family } from '../../domain/indicators/types.ts';
import type { Log } from '../../lib/log.ts';
import type { History } from '../../sources/quotes/history.ts';
import type { MarketSource } from '../../sources/quotes/source.ts';
import type { Clock } from '../../lib/clock.ts';
import { createBarKeeper } from '../bars/persist.ts';
import { createBarStore } from '../bars/store.ts';
import type { Market } from '../types.ts';
import { attachIndicators } from './attach.ts';
import type { Demand, DemandItem } from './demand.ts';
import { createEngine } from './engine.ts';

/** Bars of all stocks, and the indicators computed from them. */
export type Values = {
  /** The Market with the values in it: what sources, routes and the tick use. */
  market: Market;
  /** Reads kept bars and begins; to be awaited before the feed starts. */
  start(): Promise<void>;
  /** Keeps what has to survive; after the feed stopped. */
  stop(): void;
  stats(): Record<string, number>;
};

export type ValuesDeps = {
  db: Db;
  /** The bare Market. */
  market: Market;
  source: Pick<MarketSource, 'clock' | 'history'>;
  demand: Demand;
  /** The catalog's families by slug, as they are now. */
  families: () => Readonly<Record<string, Family>>;
  /** Which of the wanted values are computed here; all, unless the feed brings some itself. */
  isComputedHere?: (item: DemandItem) => boolean;
  /** Whether minutes are collected: not for a feed whose intraday values come from elsewhere. */
  minutes: boolean;
  wall: Clock;
  log: Log;
  later?: (run: () => void) => void;
};

/** A feed that can't give its past again: everything known of it was kept by an earlier run. */
const NO_HISTORY: History = { isDeep: false, daily: () => [], minutes: () => [] };

/** Puts bar store, engine and what is kept over a restart together. */
export function createValues(deps: ValuesDeps): Values {
  const { db, source, demand, families, wall, log, later } = deps;
  const history = source.history ?? NO_HISTORY;
  const bars = createBarStore({ clock: source.clock, history, minutes: deps.minutes });
  const engine = createEngine({ market: deps.market, bars, history, wall, log, ...(later && { later }) });
  const keeper = history.isDeep ? null : createBarKeeper({ db, bars, clock: source.clock, log });
  if (keeper) engine.onNewDay(keeper.newDay);
  const isComputedHere = deps.isComputedHere ?? (() => true);

  const follow = (): void => engine.setDemand(demand.current().filter(isComputedHere), families());
  let unfollow = (): void => undefined;

  return {
    market: attachIndicators(deps.market, engine, log),
    async start() {
      await keeper?.restore();
      keeper?.start();
      unfollow = demand.listen(follow);
      follow();
    },
    stop() {
      unfollow();
      engine.stop();
      keeper?.stop();
    },
    stats: () => ({ ...bars.stats(), ...engine.stats() }),
  };
}
