import type { Log } from '../../../lib/log.ts';
import type { MarketSink, MarketSource, SourceHealth } from '../source.ts';
import type { Clock } from '../../../lib/clock.ts';
import { createSimulatorClock } from './clock.ts';
import { simulatedHistory } from "./barHistory.ts";
import { createExchange, type Exchange } from './exchange.ts';

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
const SLICE = 20;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The simulated market as a source. Labelled 'Simulated', never delayed. `start` returns once the first listings
 * are in; the others follow within a second in slices that leave the event loop free.
 * @throws RangeError when `start` is not a time of day
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { wall, log } = options;
  const clock = createSimulatorClock(options);
  const exchange = createExchange({ seed: options.seed });
  let running: { timer: ReturnType<typeof setTimeout> | null } | null = null;
  let shown: number | null = null;
  let lastSuccess: number | null = null;
  let problem: string | null = null;

  const refuse = (answer: ReturnType<MarketSink['apply']>): void => {
    for (const { code, message } of answer.refused)
      log.error('The Market refused a simulated stock', { code, reason: message });
  };

  /** A clock that went back (from a day of its own to the real one) begins a market that must not know the future. */
  const forgetFuture = (sink: MarketSink, now: number): void => {
    if (shown !== null && now < shown) sink.remove(exchange.listings.map((listing) => listing.code));
    shown = now;
  };

  const deliver = (sink: MarketSink, make: (now: number) => ReturnType<Exchange['advanceTo']>): void => {
    const now = clock.now();
    forgetFuture(sink, now);
    const updates = make(now);
    if (updates.length > 0) refuse(sink.apply(updates));
    lastSuccess = wall.now();
    problem = null;
  };

  const loadSlice = (sink: MarketSink): void => deliver(sink, (now) => exchange.load(now, SLICE));

  const step = async (sink: MarketSink, run: object): Promise<void> => {
    while (running === run && !exchange.ready(clock.now())) {
      loadSlice(sink);
      await nextTurn();
    }
    if (running === run) deliver(sink, (now) => exchange.advanceTo(now));
  };

  const loop = async (
    sink: MarketSink,
    run: { timer: ReturnType<typeof setTimeout> | null },
  ): Promise<void> => {
    try {
      await step(sink, run);
    } catch (error) {
      // What this step changed may not have arrived, so everything is told again.
      exchange.restart();
      if (!problem) log.error('A step of the simulated market failed', { error });
      problem = 'The simulated market stopped by a fault of its own. Restart the server; its log tells more.';
    }
    if (running === run) run.timer = setTimeout(() => void loop(sink, run), STEP_MS);
  };

  return {
    name: 'simulator',
    exchange,
    history: simulatedHistory(exchange),
    clock,
    label: () => 'Simulated',
    delayMinutes: () => 0,
    ignoreStatus: () => clock.outsideHours(),
    async start(sink) {
      if (running) return;
      const run: { timer: ReturnType<typeof setTimeout> | null } = { timer: null };
      running = run;
      loadSlice(sink);
      run.timer = setTimeout(() => void loop(sink, run), 0);
    },
    async stop() {
      if (running?.timer) clearTimeout(running.timer);
      running = null;
    },
    health: (): SourceHealth => ({ healthy: problem === null, problem, lastSuccess, measuredLagMs: 0 }),
  };
}
