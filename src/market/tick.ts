import type { Log } from '../lib/log.ts';
import type { ChangeSet, Market, TickListener } from './types.ts';

export type TickDeps = {
  market: Pick<Market, 'flush'>;
  /** At most one change set per this time, ms. */
  everyMs: number;
  log: Log;
};

export type Tick = {
  /** Adds a listener, called in the order of adding; the result removes it. */
  listen(listener: TickListener): () => void;
  start(): void;
  stop(): void;
  /** One tick now: flushes the Market and tells every listener. Tests drive time with it. */
  run(): ChangeSet | null;
};

/** The loop that hands the Market's change sets to everything downstream. */
export function createTick({ market, everyMs, log }: TickDeps): Tick {
  const listeners = new Set<TickListener>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function run(): ChangeSet | null {
    const changes = market.flush();
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        log.error('A listener of market changes failed; the others go on', { error });
      }
    }
    return changes;
  }

  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    start() {
      timer ??= setInterval(() => {
        try {
          run();
        } catch (error) {
          log.error('A market tick failed; the next one goes on', { error });
        }
      }, everyMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    run,
  };
}
