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
};

/**
 * The loop that hands the Market's change sets to everything downstream, at most one per `config.tickMs`. It runs from
 * `start` to `stop`.
 */
export function createTick(
  core: Pick<Core, 'log'> & { config: Pick<Core['config'], 'tickMs'> },
  needs: TickNeeds,
) {
  const { config } = core;
  const log = core.log.child('tick');
  const listeners = new Set<TickListener>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function run(): ChangeSet | null {
    const changes = needs.market.flush();
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        log.error('A listener of market changes failed; the others go on', { error });
      }
    }
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
  } satisfies Part;
}
