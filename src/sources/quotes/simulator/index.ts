import { SIMULATED } from '../../../market/rules/replayLabel.ts';
import type { StockUpdate } from '../../../market/rules/stock.ts';
import type { Clock } from '../../../lib/clock.ts';
import { lazy } from '../../../lib/lazy.ts';
import type { Log } from '../../../lib/log.ts';
import { nextTurn } from '../../../lib/nextTurn.ts';
import { createSimulatedAnnouncements } from '../../announcements/simulator/index.ts';
import type { MarketSink, MarketSource, SourceHealth } from '../source.ts';
import { createSimulatorClock, type SimulatorClock } from './clock.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { simulatedHistory } from './pastBars.ts';

export type SimulatorOptions = {
  seed: number;
  /** 'auto', or a Sydney time of day 'HH:MM'; see createSimulatorClock. */
  start: string;
  speed: number;
  wall: Clock;
  log: Log;
};

export type Simulator = MarketSource & { readonly exchange: Exchange };

const STEP_MS = 250;
/** Planning a listing costs about 0.2 ms; so many at once keep the event loop free on a small computer too. */
const LISTINGS_A_SLICE = 20;

/** One object per start, so that a loop notices that it was stopped even when another one was started since. */
type Run = { timer: ReturnType<typeof setTimeout> | null; loaded: PromiseWithResolvers<void> };

type Delivery = {
  /** Puts what the exchange gives for the clock's present moment into the Market. */
  deliver(sink: MarketSink, updatesAt: (now: number) => readonly StockUpdate[]): void;
  /** Takes note of a step that failed. */
  fail(error: unknown): void;
  health(): SourceHealth;
};

function createDelivery(
  { wall, log }: SimulatorOptions,
  clock: SimulatorClock,
  exchangeOf: () => Exchange,
): Delivery {
  let deliveredTo: number | null = null;
  let lastSuccess: number | null = null;
  let problem: string | null = null;

  return {
    deliver(sink, updatesAt) {
      const now = clock.now();
      // When the clock goes back, from a day of its own to the real one, the Market must not keep figures of the future.
      if (deliveredTo !== null && now < deliveredTo)
        sink.remove(exchangeOf().listings.map(({ code }) => code));
      deliveredTo = now;
      const updates = updatesAt(now);
      const refused = updates.length > 0 ? sink.apply(updates).refused : [];
      for (const { code, message } of refused)
        log.error('The Market refused a simulated stock', { code, reason: message });
      lastSuccess = wall.now();
      problem = null;
    },
    fail(error) {
      // What the failed step changed may not have reached the Market, so the next one sends complete updates.
      exchangeOf().restart();
      if (!problem) log.error('A step of the simulated market failed', { error });
      problem = 'The simulated market stopped by a fault of its own. Restart the server; its log tells more.';
    },
    health: () => ({ healthy: problem === null, problem, lastSuccess, measuredLagMs: 0 }),
  };
}

/**
 * The simulated market as a source. Labelled 'Simulated', never delayed. `start` returns once the first listings
 * are in; the others follow within a second in slices that leave the event loop free.
 * @throws RangeError when `start` is not a time of day
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const clock = createSimulatorClock(options);
  // Its two thousand listings take a while to invent, so not before the server answers.
  const exchangeOf = lazy(() => createExchange({ seed: options.seed }));
  const { wall, log } = options;
  const { deliver, fail, health } = createDelivery(options, clock, exchangeOf);
  let running: Run | null = null;

  const loadSlice = (sink: MarketSink): void =>
    deliver(sink, (now) => exchangeOf().load(now, LISTINGS_A_SLICE));

  async function step(sink: MarketSink, run: Run): Promise<void> {
    while (running === run && !exchangeOf().ready(clock.now())) {
      loadSlice(sink);
      await nextTurn();
    }
    if (running === run) deliver(sink, exchangeOf().advanceTo);
  }

  async function loop(sink: MarketSink, run: Run): Promise<void> {
    try {
      await step(sink, run);
    } catch (error) {
      fail(error);
    }
    run.loaded.resolve();
    if (running === run) run.timer = setTimeout(() => void loop(sink, run), STEP_MS);
  }

  return {
    name: 'simulator',
    get exchange() {
      return exchangeOf();
    },
    history: simulatedHistory(exchangeOf),
    clock,
    label: () => SIMULATED,
    delayMinutes: () => 0,
    ignoreStatus: () => clock.outsideHours(),
    days: 'independent',
    announcements: createSimulatedAnnouncements({
      ...{ clock, wall, log },
      name: `simulator-${options.seed}`,
      planned: () => exchangeOf().announcements(),
    }),
    hasMinutes: true,
    async start(sink) {
      if (running) return;
      const run: Run = { timer: null, loaded: Promise.withResolvers() };
      running = run;
      loadSlice(sink);
      run.timer = setTimeout(() => void loop(sink, run), 0);
    },
    loaded: async () => running?.loaded.promise,
    async stop() {
      running?.loaded.resolve();
      if (running?.timer) clearTimeout(running.timer);
      running = null;
    },
    health,
  };
}
