import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { History } from '../sources/quotes.ts';
import { finishDay } from '../bars/currentDay.ts';
import { createEarlierRoom, createEarlierRows, type EarlierRoom, type StockBars } from '../bars/series.ts';
import { minutesOf } from '../bars/rules/buckets.ts';
import type { BarStore } from '../bars/store.ts';
import { KEPT_DAYS, KEPT_MINUTE_DAYS } from '../bars/walk.ts';
import type { Stock } from '../rules/stock.ts';
import type { Market } from '../types.ts';
import { type Frame, type Output, type Place, type PlannedFrame, ValueChanges, writeFrame } from './frame.ts';
import {
  continuePlan,
  createFrameBuilder,
  EMPTY_PLAN,
  follow,
  type FrameBuilder,
  type IndicatorPlan,
  makePlan,
  removedOutputs,
} from './plan.ts';
import type { DemandItem } from './rules/indicatorKey.ts';
import type { Family } from './rules/types.ts';

type Preparation = {
  stock: Stock;
  quoteTime: number | null;
  statedTime: number | null;
  bars: BarStore;
  history: History;
  plan: IndicatorPlan;
  /** Room for rows before the stored bars; used by one stock at a time. */
  room: EarlierRoom;
  present: () => readonly Frame[];
  isCurrent: () => boolean;
};

type PreparedFrame = { existing: Frame } | { builder: FrameBuilder };

/** Computes all but the newest bars. @param present the stock's existing frames */
function* buildFrames(
  { bars, history, plan, room }: Preparation,
  stockBars: StockBars,
  present: readonly Frame[],
): Generator<undefined, PreparedFrame[]> {
  const earlierRows = createEarlierRows(
    plan.frames.map((frame) => frame.key),
    { history, keyAt: bars.keyAt },
    room,
  );
  const prepared: PreparedFrame[] = [];
  const isWhole = history.isDeep && history.firstDate === undefined;
  for (const planned of plan.frames) {
    const existing = present.find((frame) => frame.plan === planned);
    if (existing) {
      prepared.push({ existing });
      continue;
    }
    const earlier = yield* earlierRows(stockBars, planned.key);
    const builder = createFrameBuilder(planned, stockBars, earlier, isWhole, bars.beganUnseen);
    yield* builder.steps();
    prepared.push({ builder });
    yield;
  }
  return prepared;
}

const missingFrames = ({ frames }: IndicatorPlan, present: readonly Frame[]): PlannedFrame[] =>
  frames.filter((planned) => !present.some((frame) => frame.plan === planned));

type PreparedFrames = { frames: Frame[]; isChanged: boolean };

/** Loads a stock's past and computes its frames in steps. @returns null if plan or bars were replaced */
function* prepareFrames(preparation: Preparation): Generator<undefined, PreparedFrames | null> {
  const { stock, quoteTime, statedTime, bars, isCurrent } = preparation;
  const stockBars = bars.ensure(stock.code);
  const present = preparation.present();
  const missing = missingFrames(preparation.plan, present);
  if (missing.length > 0) bars.loadDays(stockBars);
  bars.applyQuote(stock, quoteTime, statedTime);
  yield;
  if (missing.some(({ key }) => minutesOf(key) !== null)) yield* bars.loadMinutes(stockBars);
  const prepared = yield* buildFrames(preparation, stockBars, present);
  if (bars.get(stock.code) !== stockBars) {
    stockBars.days.clear();
    stockBars.minutes.clear();
    return null;
  }
  if (!isCurrent()) return null;
  const frames = prepared.map((one) => ('existing' in one ? one.existing : one.builder.finish()));
  // Finished frames need no past. A week of minutes of all stocks takes 60 MB, a year of days 10 MB.
  bars.releasePast(stockBars);
  return { frames, isChanged: prepared.some((one) => 'builder' in one) };
}

/** A slice ends with the step that exceeds it, ms; with steps of up to 2 ms it stays well below 8 ms. */
const SLICE_MS = 4;

type SlicedWorkDeps = {
  steps: (code: string) => Generator<undefined, void>;
  onError: (error: unknown) => void;
  stopwatch: Stopwatch;
  later: (run: () => void) => void;
};

class SlicedWork {
  private readonly queue = new Set<string>();
  private isRunning = false;
  private isStopped = false;

  constructor(private readonly deps: SlicedWorkDeps) {}

  add(code: string): void {
    this.queue.add(code);
  }

  remove(code: string): void {
    this.queue.delete(code);
  }

  clear(): void {
    this.queue.clear();
  }

  start(): void {
    if (this.isRunning || this.isStopped || this.queue.size === 0) return;
    this.isRunning = true;
    this.deps.later(() => this.work(null));
  }

  stop(): void {
    this.isStopped = true;
  }

  waiting(): number {
    return this.queue.size;
  }

  private work(unfinished: Generator<undefined, void> | null): void {
    const { steps, onError, stopwatch, later } = this.deps;
    let current = unfinished;
    const started = stopwatch.monotonic();
    try {
      while (!this.isStopped && stopwatch.monotonic() - started < SLICE_MS) {
        if (current?.next().done === false) continue;
        const [code] = this.queue;
        if (code === undefined) {
          this.isRunning = false;
          return;
        }
        this.queue.delete(code);
        current = steps(code);
      }
    } catch (error) {
      onError(error);
      current = null;
    }
    if (!this.isStopped) later(() => this.work(current));
  }
}

type FrameLoaderDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  stopwatch: Stopwatch;
  log: Log;
  later: (run: () => void) => void;
  onLoaded: (code: string) => void;
};

class FrameLoader {
  private readonly frames = new Map<string, readonly Frame[]>();
  private readonly room = createEarlierRoom();
  private readonly work: SlicedWork;
  private used: IndicatorPlan = EMPTY_PLAN;
  private readonly corrected = new Set<string>();
  private age = 0;

  constructor(private readonly deps: FrameLoaderDeps) {
    const { log, stopwatch, later } = deps;
    this.work = new SlicedWork({
      steps: (code) => this.load(code),
      onError: (error) =>
        log.error('Could not prepare the indicators of a stock; others continue', { error }),
      stopwatch,
      later,
    });
  }

  plan(): IndicatorPlan {
    return this.used;
  }

  /** Loads the frames of all stocks, the most traded first; shared frames stay. */
  use(plan: IndicatorPlan): void {
    this.used = plan;
    if (plan.frames.length === 0) {
      this.frames.clear();
      this.work.clear();
    }
    this.loadAll();
  }

  framesOf(code: string): readonly Frame[] | undefined {
    return this.frames.get(code);
  }

  add(code: string): void {
    this.work.add(code);
  }

  start(): void {
    this.work.start();
  }

  setEmpty(code: string): void {
    this.frames.set(code, []);
  }

  drop(code: string): void {
    this.frames.delete(code);
    this.work.remove(code);
  }

  /** Drops the frames of a stock with corrected bars, even while they load. */
  renew(code: string): void {
    this.frames.delete(code);
    this.corrected.add(code);
  }

  reload(): void {
    this.age += 1;
    this.frames.clear();
    this.loadAll();
  }

  reloadOne(code: string): void {
    this.age += 1;
    this.frames.delete(code);
    if (this.used.frames.length > 0) this.add(code);
    this.work.start();
  }

  stop(): void {
    this.work.stop();
  }

  stats(): { values: number; frames: number; waiting: number } {
    const { frames } = this.used;
    return {
      values: frames.reduce((sum, frame) => sum + frame.outputs.length, 0),
      frames: this.frames.size * frames.length,
      waiting: this.work.waiting(),
    };
  }

  private *load(code: string): Generator<undefined, void> {
    const { market, bars, history, onLoaded } = this.deps;
    const stock = market.get(code);
    if (!stock) return;
    const { used: plan, age, room } = this;
    this.corrected.delete(code);
    const prepared = yield* prepareFrames({
      stock,
      quoteTime: market.quoteTime(code),
      statedTime: market.statedQuoteTime(code),
      bars,
      history,
      plan,
      room,
      present: () => this.frames.get(code) ?? [],
      isCurrent: () => this.used === plan && this.age === age && !this.corrected.has(code),
    });
    if (prepared === null) {
      this.work.add(code);
      return;
    }
    this.frames.set(code, prepared.frames);
    if (prepared.isChanged) onLoaded(code);
  }

  private loadAll(): void {
    if (this.used.frames.length === 0) return;
    const stocks = [...this.deps.market.all().values()].sort(
      (one, other) => (other.value ?? 0) - (one.value ?? 0),
    );
    for (const { code } of stocks) this.work.add(code);
    this.work.start();
  }
}

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
      this.log.error('Could not compute the indicators of a stock; others continue', { code, error });
      isComputed = false;
    }
    const values = putChanges(this.market, code, this.changes);
    if (!isComputed) this.loader.setEmpty(code);
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

type EngineDeps = {
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
    const quote = bars.applyQuote(stock, market.quoteTime(code), market.statedQuoteTime(code));
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
