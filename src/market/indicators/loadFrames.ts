import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { History } from '../../sources/quotes/history.ts';
import { createEarlierRoom } from '../bars/earlierRows.ts';
import type { BarStore } from '../bars/store.ts';
import type { Market } from '../types.ts';
import type { Frame } from './frame.ts';
import { EMPTY_PLAN, type IndicatorPlan } from './plan.ts';
import { prepareFrames } from './prepare.ts';
import { createSlicedWork } from './slicedWork.ts';

/** The frames of all stocks for the plan in use, loaded stock after stock. */
export type FrameLoader = {
  plan(): IndicatorPlan;
  /** Loads the frames of all stocks for this plan, those that trade most first; those of frames it shares stay. */
  use(plan: IndicatorPlan): void;
  /** The frames of a stock; undefined while they have not loaded. */
  framesOf(code: string): readonly Frame[] | undefined;
  /** Queues a stock; it is loaded after the next `start`. */
  add(code: string): void;
  start(): void;
  /** Takes the frames away from a stock that can't be computed, until all are loaded again. */
  giveUp(code: string): void;
  drop(code: string): void;
  /** Drops all frames and loads them again from the bars. */
  reload(): void;
  /** Ends loading for good. */
  stop(): void;
  stats(): { values: number; frames: number; waiting: number };
};

export type FrameLoaderDeps = {
  market: Market;
  bars: BarStore;
  history: History;
  stopwatch: Stopwatch;
  log: Log;
  later: (run: () => void) => void;
  /** Called when a stock has frames that it had not before. */
  onLoaded: (code: string) => void;
};

export function createFrameLoader(deps: FrameLoaderDeps): FrameLoader {
  const { market, bars, history, stopwatch, log, later, onLoaded } = deps;
  const frames = new Map<string, readonly Frame[]>();
  const room = createEarlierRoom();
  let plan: IndicatorPlan = EMPTY_PLAN;
  /** Counts the reloads. */
  let age = 0;

  function* load(code: string): Generator<undefined, void> {
    const stock = market.get(code);
    if (!stock) return;
    const used = plan;
    const began = age;
    const prepared = yield* prepareFrames({
      stock,
      quoteTime: market.quoteTime(code),
      bars,
      history,
      plan: used,
      room,
      present: () => frames.get(code) ?? [],
      isCurrent: () => plan === used && age === began,
    });
    if (prepared === null) {
      work.add(code);
      return;
    }
    frames.set(code, prepared.frames);
    if (prepared.isChanged) onLoaded(code);
  }

  const work = createSlicedWork({
    steps: load,
    onError: (error) => log.error('Indicators of a stock could not be prepared; the others go on', { error }),
    stopwatch,
    later,
  });

  function loadAll(): void {
    if (plan.frames.length === 0) return;
    const stocks = [...market.all().values()].sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
    for (const { code } of stocks) work.add(code);
    work.start();
  }

  return {
    plan: () => plan,
    use(next) {
      plan = next;
      if (plan.frames.length === 0) {
        frames.clear();
        work.clear();
      }
      loadAll();
    },
    framesOf: (code) => frames.get(code),
    add: (code) => work.add(code),
    start: () => work.start(),
    giveUp: (code) => void frames.set(code, []),
    drop(code) {
      frames.delete(code);
      work.remove(code);
    },
    reload() {
      age += 1;
      frames.clear();
      loadAll();
    },
    stop: () => work.stop(),
    stats: () => ({
      values: plan.frames.reduce((sum, frame) => sum + frame.outputs.length, 0),
      frames: frames.size * plan.frames.length,
      waiting: work.waiting(),
    }),
  };
}
