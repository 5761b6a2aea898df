import type { Core, Part } from '../part.ts';
import type { ChangeSet, Market, TickListener } from './types.ts';

export type TickNeeds = {
  market: Pick<Market, 'flush'>;
};

export type Tick = {
  /** Adds a listener, called in the order of adding; the result removes it. */
  listen(listener: TickListener): () => void;
  /** One tick now: flushes the Market and tells every listener. Tests drive time with it. */
  run(): ChangeSet | null;
  /** How the ticks go. */
  pace(): TickFigures;
};

export type TickFigures = {
  ticks: number;
  /** Of them, those on which a stock changed. */
  withChanges: number;
  lastMs: number;
  /** Of the last hundred ticks. */
  slowestMs: number;
  totalMs: number;
  /** How much later than planned the last tick came; 0 for one in time. */
  lagMs: number;
};

const RECENT = 100;
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Measures the ticks. @param everyMs how often they are planned */
function createPace(everyMs: number) {
  const recent: number[] = [];
  const total = { ticks: 0, withChanges: 0, ms: 0, lag: 0 };
  let lastBegan: number | null = null;
  return {
    ran(began: number, ended: number, hasChanges: boolean): void {
      if (lastBegan !== null) total.lag = Math.max(0, began - lastBegan - everyMs);
      lastBegan = began;
      total.ticks += 1;
      total.withChanges += Number(hasChanges);
      total.ms += ended - began;
      recent.push(ended - began);
      if (recent.length > RECENT) recent.shift();
    },
    figures: (): TickFigures => ({
      ticks: total.ticks,
      withChanges: total.withChanges,
      lastMs: tenths(recent.at(-1) ?? 0),
      slowestMs: tenths(Math.max(0, ...recent)),
      totalMs: tenths(total.ms),
      lagMs: tenths(total.lag),
    }),
  };
}

/**
 * The loop that hands the Market's change sets to everything downstream, at most one per `config.tickMs`. It runs from
 * `start` to `stop`.
 */
export function createTick(
  core: Pick<Core, 'log' | 'clock'> & { config: Pick<Core['config'], 'tickMs'> },
  needs: TickNeeds,
) {
  const { config, clock } = core;
  const log = core.log.child('tick');
  const listeners = new Set<TickListener>();
  let timer: ReturnType<typeof setInterval> | undefined;

  const pace = createPace(config.tickMs);

  function run(): ChangeSet | null {
    const began = clock.monotonic();
    const changes = needs.market.flush();
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        log.error('A listener of market changes failed; the others go on', { error });
      }
    }
    pace.ran(began, clock.monotonic(), changes !== null);
    return changes;
  }

  function runSafely(): void {
    try {
      run();
    } catch (error) {
      log.error('A market tick failed; the next one goes on', { error });
    }
  }

  const service: Tick = {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    run,
    pace: pace.figures,
  };
  return {
    name: 'tick',
    service,
    start() {
      timer ??= setInterval(runSafely, config.tickMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    inspect: () => ({
      label: 'Tick',
      description:
        'The loop that hands what changed in the market to everything downstream. Times are in ms.',
      summary: pace.figures(),
      data: pace.figures,
    }),
  } satisfies Part;
}
