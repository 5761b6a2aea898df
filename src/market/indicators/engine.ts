import type { Family } from './rules/types.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { History } from '#sources/quotes/source.ts';
import { finishDay } from '../bars/currentDay.ts';
import { KEPT_DAYS, KEPT_MINUTE_DAYS } from '../bars/walk.ts';
import type { BarStore } from '../bars/store.ts';
import type { Market } from '../types.ts';
import { continuePlan, follow, makePlan, type Output, type Place, removedOutputs } from './plan.ts';
import type { DemandItem } from './rules/indicatorKey.ts';
import { FrameLoader } from './loadFrames.ts';
import { ValueChanges, writeFrame } from './frame.ts';

function putChanges(market: Market, code: string, changes: ValueChanges): number {
  const values = changes.result();
  if (values) market.setValues(code, values, values.patch);
  return changes.count();
}

/**
 * Computed values per tick; the rest follows in the next ticks. A batch of 1,000 stocks with 200 columns
 * would block the loop for a tenth of a second. All stocks with ten columns fit, and take about 10 ms.
 */
const MAX_VALUES_A_TICK = 20_000;

/**
 * Values added or removed per tick because of chosen columns; the rest follows. They take about 5 ms to
 * compute, compare, encode and compress.
 */
export const MAX_NEW_VALUES_A_TICK = 3000;

class WriteQueue {
  private readonly changes = new ValueChanges();
  private readonly changed = new Set<string>();
  private readonly loaded = new Set<string>();

  constructor(
    private readonly market: Market,
    private readonly loader: FrameLoader,
    private readonly log: Log,
  ) {}

  addChanged(code: string): void {
    this.changed.add(code);
  }

  addLoaded(code: string): void {
    this.loaded.add(code);
  }

  drop(code: string): void {
    this.changed.delete(code);
    this.loaded.delete(code);
  }

  clear(): void {
    this.changed.clear();
    this.loaded.clear();
  }

  work(): number {
    this.writeChanged();
    let left = MAX_NEW_VALUES_A_TICK;
    for (const code of this.loaded) {
      if (left <= 0) return 0;
      this.loaded.delete(code);
      left -= Math.max(1, this.write(code));
    }
    return Math.max(0, left);
  }

  /** Values of a trade are sent with it, except for stocks that wait for their first values. */
  private writeChanged(): void {
    const ofStock = Math.max(1, this.loader.plan().places.size);
    let left = MAX_VALUES_A_TICK;
    for (const code of this.changed) {
      if (left <= 0) return;
      this.changed.delete(code);
      if (this.loaded.has(code)) continue;
      this.write(code);
      left -= ofStock;
    }
  }

  private write(code: string): number {
    const stock = this.market.get(code);
    if (!stock) return 0;
    const { places } = this.loader.plan();
    let isComputed = true;
    this.changes.begin(stock);
    try {
      for (const frame of this.loader.framesOf(code) ?? []) writeFrame(frame, places, this.changes);
    } catch (error) {
      this.log.error('Indicators of a stock could not be computed; the others go on', { code, error });
      isComputed = false;
    }
    const values = putChanges(this.market, code, this.changes);
    if (!isComputed) this.loader.giveUp(code);
    return values;
  }
}

class ValueRemover {
  private readonly changes = new ValueChanges();
  private readonly removed = new Map<string, Place>();
  private readonly waiting = new Set<string>();

  constructor(private readonly market: Market) {}

  add(outputs: readonly Output[]): void {
    if (outputs.length === 0) return;
    for (const { placeId, place } of outputs) this.removed.set(placeId, place);
    for (const code of this.market.all().keys()) this.waiting.add(code);
  }

  keep(placeIds: ReadonlySet<string>): void {
    for (const id of placeIds) this.removed.delete(id);
  }

  work(places: number): void {
    let left = places;
    for (const code of this.waiting) {
      if (left <= 0) return;
      this.waiting.delete(code);
      this.removeFrom(code);
      left -= Math.max(1, this.removed.size);
    }
    this.removed.clear();
  }

  private removeFrom(code: string): void {
    const stock = this.market.get(code);
    if (!stock?.indicators && !stock?.htf) return;
    this.changes.begin(stock);
    for (const place of this.removed.values()) this.changes.set(place, null);
    putChanges(this.market, code, this.changes);
  }
}

export type EngineDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  stopwatch: Stopwatch;
  log: Log;
  later?: (run: () => void) => void;
};

/** Computes the values in use for all stocks from bars, in step with the Market. */
export class Engine {
  private readonly newDayListeners = new Set<() => void>();
  private readonly loader: FrameLoader;
  private readonly writes: WriteQueue;
  private readonly remover: ValueRemover;

  constructor(private readonly deps: EngineDeps) {
    const { market, later = setImmediate } = deps;
    const onLoaded = (code: string) => this.writes.addLoaded(code);
    this.loader = new FrameLoader({ ...deps, later, onLoaded });
    this.writes = new WriteQueue(market, this.loader, deps.log);
    this.remover = new ValueRemover(market);
  }

  /** Replaces the computed values; unused ones are removed from the stocks. */
  setDemand(items: readonly DemandItem[], families: Readonly<Record<string, Family>>): void {
    const before = this.loader.plan();
    const plan = continuePlan(before, makePlan(items, families));
    this.deps.bars.collectMinutes(plan.usesMinutes);
    this.remover.add(removedOutputs(before, plan));
    this.remover.keep(plan.places);
    this.loader.use(plan);
  }

  note(codes: Iterable<string>): void {
    if (this.deps.bars.advanceDay()) this.beginDay();
    if (this.deps.history.isDeep && this.loader.plan().frames.length === 0) return;
    for (const code of codes) this.noteStock(code);
    this.loader.start();
  }

  drop(codes: readonly string[]): void {
    for (const code of codes) {
      this.loader.drop(code);
      this.writes.drop(code);
      this.deps.bars.drop(code);
    }
  }

  /** Converts a stock's past to the prices after an adjustment, and recomputes. */
  adjust(code: string, day: number, factor: number): void {
    this.deps.bars.adjust(code, day, factor);
    this.reload(code);
  }

  reload(code: string): void {
    this.writes.drop(code);
    this.loader.reloadOne(code);
  }

  jump(): void {
    const { bars } = this.deps;
    bars.advanceDay();
    this.writes.clear();
    for (const { code } of [...bars.all()]) bars.drop(code);
    this.loader.reload();
  }

  /** Writes changed values into the Market; called once per tick, before the flush. */
  write(): void {
    this.remover.work(this.writes.work());
  }

  /** The listener is called after a change of date, before the bars are prepared. */
  onNewDay(listener: () => void): void {
    this.newDayListeners.add(listener);
  }

  stop(): void {
    this.loader.stop();
  }

  stats(): { values: number; frames: number; waiting: number } {
    return this.loader.stats();
  }

  private beginDay(): void {
    for (const listener of this.newDayListeners) listener();
    this.writes.clear();
    prepareBars(this.deps.bars, this.deps.history);
    this.loader.reload();
  }

  private noteStock(code: string): void {
    const { market, bars } = this.deps;
    const stock = market.get(code);
    if (!stock) return;
    const quote = bars.takeQuote(stock, market.quoteTime(code), market.statedQuoteTime(code));
    if (quote?.isCorrection) this.loader.renew(code);
    const frames = this.loader.framesOf(code);
    if (!frames) {
      if (this.loader.plan().frames.length > 0) this.loader.add(code);
      return;
    }
    const stockBars = quote && bars.get(code);
    if (!quote || !stockBars) return;
    for (const frame of frames) follow(frame, stockBars, quote, bars.beganUnseen);
    this.writes.addChanged(code);
  }
}

/** Finishes the running days and drops old bars; for a deep history all bars. */
function prepareBars(bars: BarStore, history: History): void {
  for (const stockBars of [...bars.all()]) {
    if (history.isDeep) {
      bars.drop(stockBars.code);
      continue;
    }
    const { days, minutes } = stockBars;
    finishDay(stockBars, bars.today());
    days.dropBefore(days.at(days.length() - KEPT_DAYS)?.key ?? 0);
    minutes.dropBefore((bars.today() - KEPT_MINUTE_DAYS * 1.6) * 1440);
  }
}
