import type { Family } from './rules/types.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { History } from '../../sources/quotes/history.ts';
import { finishDay } from '../bars/currentDay.ts';
import { KEPT_DAYS, KEPT_MINUTE_DAYS } from '../bars/loadBars.ts';
import type { BarStore } from '../bars/store.ts';
import type { Market } from '../types.ts';
import { follow } from './build.ts';
import type { DemandItem } from './rules/demandItem.ts';
import { createFrameLoader } from './loadFrames.ts';
import { continuePlan, makePlan, removedOutputs } from './plan.ts';
import { createValueRemover } from './removeValues.ts';
import { createWriteQueue } from './writeQueue.ts';

export type Engine = {
  /** Computes these values from now on; values that are not among them any more are removed from the stocks. */
  setDemand(items: readonly DemandItem[], families: Readonly<Record<string, Family>>): void;
  /** Takes in what the Market has just applied. */
  note(codes: Iterable<string>): void;
  /** Forgets stocks that were taken off the Market. */
  drop(codes: readonly string[]): void;
  /** Begins anew at another moment of the market's clock: all bars are loaded again, and what follows from them. */
  jump(): void;
  /** Writes changed values into the Market; called once per tick, before the Market is flushed. */
  write(): void;
  /** Adds a listener, called when the market's date has changed, before the bars are prepared for the new one. */
  onNewDay(listener: () => void): void;
  /** Ends loading. */
  stop(): void;
  stats(): { values: number; frames: number; waiting: number };
};

export type EngineDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  /** Slices of loading are measured with it. */
  stopwatch: Stopwatch;
  log: Log;
  /** Runs a function after other work had its turn. */
  later?: (run: () => void) => void;
};

/** Computes the values in use for all stocks, from bars, in step with the Market. */
export function createEngine(deps: EngineDeps): Engine {
  const { market, bars, history, stopwatch, log, later = setImmediate } = deps;
  const newDayListeners = new Set<() => void>();
  const loader = createFrameLoader({
    market,
    bars,
    history,
    stopwatch,
    log,
    later,
    onLoaded: (code) => writes.addLoaded(code),
  });
  const writes = createWriteQueue(market, loader, log);
  const remover = createValueRemover(market);

  function beginDay(): void {
    for (const listener of newDayListeners) listener();
    writes.clear();
    prepareBars(bars, history);
    loader.reload();
  }

  function noteStock(code: string): void {
    const stock = market.get(code);
    if (!stock) return;
    const quote = bars.takeQuote(stock, market.quoteTime(code));
    const frames = loader.framesOf(code);
    if (!frames) {
      if (loader.plan().frames.length > 0) loader.add(code);
      return;
    }
    const stockBars = quote && bars.get(code);
    if (!quote || !stockBars) return;
    for (const frame of frames) follow(frame, stockBars, quote);
    writes.addChanged(code);
  }

  return {
    setDemand(items, families) {
      const before = loader.plan();
      const plan = continuePlan(before, makePlan(items, families));
      bars.collectMinutes(plan.usesMinutes);
      remover.add(removedOutputs(before, plan));
      remover.keep(plan.places);
      loader.use(plan);
    },
    note(codes) {
      if (bars.advanceDay()) beginDay();
      // A deep history can be loaded when a value is used; other bars have to be collected before.
      if (history.isDeep && loader.plan().frames.length === 0) return;
      for (const code of codes) noteStock(code);
      loader.start();
    },
    drop(codes) {
      for (const code of codes) {
        loader.drop(code);
        writes.drop(code);
        bars.drop(code);
      }
    },
    jump() {
      bars.advanceDay();
      writes.clear();
      for (const { code } of [...bars.all()]) bars.drop(code);
      loader.reload();
    },
    write: () => remover.work(writes.work()),
    onNewDay: (listener) => void newDayListeners.add(listener),
    stop: () => loader.stop(),
    stats: () => loader.stats(),
  };
}

/** Finishes the running days and drops bars that are too old; with a deep history all bars, to be loaded again. */
function prepareBars(bars: BarStore, history: History): void {
  for (const stockBars of [...bars.all()]) {
    if (history.isDeep) {
      bars.drop(stockBars.code);
      continue;
    }
    const { days, minutes } = stockBars;
    finishDay(stockBars, bars.today());
    days.dropBefore(days.at(days.length() - KEPT_DAYS)?.key ?? 0);
    // Five trading days lie within eight days.
    minutes.dropBefore((bars.today() - KEPT_MINUTE_DAYS * 1.6) * 1440);
  }
}
