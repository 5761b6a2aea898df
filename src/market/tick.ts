import type { Log } from '../lib/log.ts';
import type { App, Part } from '#platform/app.ts';
import type { ChangeSet, Market, TickListener } from './types.ts';

export type TickFigures = {
  ticks: number;
  withChanges: number;
  lastMs: number;
  slowestMs: number;
  totalMs: number;
  /** Delay of the last tick; 0 if it was in time. */
  lagMs: number;
};

const RECENT = 100;
const tenths = (ms: number): number => Math.round(ms * 10) / 10;

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

export class Tick {
  private readonly listeners = new Set<TickListener>();
  private readonly measured: ReturnType<typeof createPace>;

  constructor(
    private readonly market: Market,
    private readonly clock: App['clock'],
    private readonly log: Log,
    everyMs: number,
  ) {
    this.measured = createPace(everyMs);
  }

  listen(listener: TickListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  run(): ChangeSet | null {
    const began = this.clock.monotonic();
    const changes = this.market.flush();
    for (const listener of this.listeners) {
      try {
        listener(changes);
      } catch (error) {
        this.log.error('A listener of market changes failed; others continue', { error });
      }
    }
    this.measured.ran(began, this.clock.monotonic(), changes !== null);
    return changes;
  }

  pace(): TickFigures {
    return this.measured.figures();
  }
}

/** Sends the Market's change sets to all listeners, at most one per `config.tickMs`. */
export function createTick(app: Pick<App, 'clock' | 'config' | 'log' | 'market'>) {
  const { tickMs } = app.config;
  const log = app.log.child('tick');
  const service = new Tick(app.market, app.clock, log, tickMs);
  let timer: ReturnType<typeof setInterval> | undefined;

  function runSafely(): void {
    try {
      service.run();
    } catch (error) {
      log.error('A market tick failed; the next one will run', { error });
    }
  }

  return {
    name: 'tick',
    service,
    start() {
      timer ??= setInterval(runSafely, tickMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    inspect: () => ({
      label: 'Tick',
      description: 'The loop that passes market changes to all listeners. Times are in ms.',
      summary: service.pace(),
      data: () => service.pace(),
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface Part {
    readonly onChanges?: TickListener;
    /**
     * Called when the market's clock jumps; the Market already has the new state. The part must drop what it
     * remembers of stocks, time and session. The next tick follows immediately.
     */
    readonly onJump?: () => void;
  }
  interface App {
    tick: Tick;
  }
}
