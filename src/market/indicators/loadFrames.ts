import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { History } from '#sources/quotes/source.ts';
import { createEarlierRoom, createEarlierRows, type EarlierRoom } from '../bars/series.ts';
import type { BarStore } from '../bars/store.ts';
import type { Market } from '../types.ts';
import type { Frame } from './frame.ts';
import {
  createFrameBuilder,
  EMPTY_PLAN,
  type FrameBuilder,
  type IndicatorPlan,
  type PlannedFrame,
} from './plan.ts';
import type { Stock } from '../rules/stock.ts';
import { minutesOf } from '../bars/rules/buckets.ts';
import type { StockBars } from '../bars/currentDay.ts';

type Preparation = {
  stock: Stock;
  quoteTime: number | null;
  statedTime: number | null;
  bars: BarStore;
  history: History;
  plan: IndicatorPlan;
  /** For rows before the stored bars; used by one stock at a time. */
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

/**
 * Loads a stock's past and computes its frames, in small steps.
 * @returns null if the plan or the bars were replaced meanwhile
 */
function* prepareFrames(preparation: Preparation): Generator<undefined, PreparedFrames | null> {
  const { stock, quoteTime, statedTime, bars, isCurrent } = preparation;
  const stockBars = bars.ensure(stock.code);
  const present = preparation.present();
  const missing = missingFrames(preparation.plan, present);
  if (missing.length > 0) bars.loadDays(stockBars);
  bars.takeQuote(stock, quoteTime, statedTime);
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
  // Frames need no past: a week of minutes of all stocks takes 60 MB, and a year of days 10.
  bars.releasePast(stockBars);
  return { frames, isChanged: prepared.some((one) => 'builder' in one) };
}

/** A slice ends with the step that exceeds it, ms; with steps of up to 2 ms it stays well below 8 ms. */
const SLICE_MS = 4;

type SlicedWorkDeps = {
  steps: (code: string) => Generator<undefined, void>;
  /** Called if a step throws; that stock's work ends. */
  onError: (error: unknown) => void;
  stopwatch: Stopwatch;
  later: (run: () => void) => void;
};

/** Work on stocks in slices, to let other work run. */
export class SlicedWork {
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

export type FrameLoaderDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  stopwatch: Stopwatch;
  log: Log;
  later: (run: () => void) => void;
  onLoaded: (code: string) => void;
};

export class FrameLoader {
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
        log.error('Indicators of a stock could not be prepared; the others go on', { error }),
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

  /** Removes the frames of a stock that can't be computed, until a reload. */
  giveUp(code: string): void {
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
