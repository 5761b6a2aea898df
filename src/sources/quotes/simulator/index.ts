import { SIMULATED } from '#market/rules/replay.ts';
import { isTradingDay, nextTradingDay, specialDaysRevision } from '#market/rules/tradingDay.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import { createSimulatedAnnouncements } from '#sources/announcements/simulator.ts';
import type { MarketSink, MarketSource, SourceHealth, MarketClock } from '../source.ts';
import { Exchange } from './exchange.ts';
import { simulatedHistory } from './history.ts';
import { createPhaseReader, phasesOf, type PhaseSpan } from '#market/rules/sessionClock.ts';
import { fromSydney, sydneyParts } from '#market/rules/sydneyTime.ts';

type SimulatorClock = MarketClock & {
  /** True while the real exchange is closed, so that a market is simulated outside its hours. */
  outsideHours(): boolean;
};

type TimeOfDay = { hour: number; minute: number };

/** A simulated day: the market moment that a wall moment stands for, and when the day ends; epoch ms. */
type SimulatedDay = { date: string; wall: number; market: number; end: number };

/** The real exchange counts as open for so long after the post close, so that the last changes of the day are shown. */
const GRACE_MS = 30_000;
const AUTO_START: TimeOfDay = { hour: 9, minute: 50 };
const NEXT_DAY_START: TimeOfDay = { hour: 7, minute: 0 };

const dayFrom = (date: string, wall: number, { hour, minute }: TimeOfDay): SimulatedDay => ({
  date,
  wall,
  market: fromSydney(date, hour, minute),
  end: phasesOf(date).at(-1)?.until ?? fromSydney(date, 19, 0),
});

/** Whether a moment is in the hours of the real exchange. @param span the phase that it is in */
const isInHours = ({ phase, since }: PhaseSpan, now: number): boolean =>
  phase === 'adjust' ? now < since + GRACE_MS : phase !== 'closed';

/** Today until its market is over, else the next trading day. */
function comingDay(now: number, isExchangeOpen: boolean): string {
  const { date, hour } = sydneyParts(now);
  return isTradingDay(date) && (hour < 7 || isExchangeOpen) ? date : nextTradingDay(date);
}

/** Today when the market trades today, else the next trading day. */
function todayOrNext(now: number): string {
  const { date } = sydneyParts(now);
  return isTradingDay(date) ? date : nextTradingDay(date);
}

/** Hours and minutes of 'HH:MM'; null for 'auto'; a RangeError for anything else. */
function readStart(start: string): TimeOfDay | null {
  if (start === 'auto') return null;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(start) ?? [];
  if (hour === undefined || minute === undefined)
    throw new RangeError(`"${start}" is not a time of day; write auto or a Sydney time such as 09:50.`);
  return { hour: Number(hour), minute: Number(minute) };
}

/** The market moment of a simulated day at a wall moment; a day that is over is followed by the next trading day. */
function marketTime(day: SimulatedDay, now: number, speed: number): { day: SimulatedDay; time: number } {
  let current = day;
  let time = current.market + (now - current.wall) * speed;
  while (time >= current.end) {
    const ended = current.wall + (current.end - current.market) / speed;
    current = dayFrom(nextTradingDay(current.date), Math.max(ended, current.wall), NEXT_DAY_START);
    time = current.market + (now - current.wall) * speed;
  }
  return { day: current, time };
}

/**
 * The simulated market's clock.
 * - start 'auto', speed 1: the wall clock while the real exchange is open; else its own day, from 09:50 of the
 *   coming trading day.
 * - start 'auto', any other speed: its own day from 09:50, because the wall clock has only one speed.
 * - start 'HH:MM': its own day from that Sydney time, on the wall's date when it is a trading day, else on the next.
 *
 * Its own day ends at 19:00 and goes on at 07:00 of the next trading day.
 * @throws RangeError when `start` is neither 'auto' nor a time of day
 */
export function createSimulatorClock(options: { start: string; speed: number; wall: Clock }): SimulatorClock {
  const { speed, wall } = options;
  const start = readStart(options.start);
  let own: SimulatedDay | null = null;
  const readPhase = createPhaseReader();
  const isExchangeOpen = (now: number): boolean => isInHours(readPhase(now), now);

  const firstDay = (now: number): SimulatedDay =>
    start
      ? dayFrom(todayOrNext(now), now, start)
      : dayFrom(comingDay(now, isExchangeOpen(now)), now, AUTO_START);

  const followsWall = (now: number): boolean => !start && speed === 1 && isExchangeOpen(now);

  return {
    now() {
      const now = wall.now();
      if (followsWall(now)) {
        own = null;
        return now;
      }
      const { day, time } = marketTime(own ?? firstDay(now), now, speed);
      own = day;
      return Math.round(time);
    },
    get speed() {
      return followsWall(wall.now()) ? 1 : speed;
    },
    outsideHours: () => !isExchangeOpen(wall.now()),
  };
}

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
/** Planning a listing costs about 0.2 ms; this many at once keep the event loop free on a small computer too. */
const LISTINGS_A_SLICE = 20;

/** One object per start, so that a loop notices that it was stopped even when another one was started since. */
type Run = { timer: ReturnType<typeof setTimeout> | null; loaded: PromiseWithResolvers<void> };

/** Puts what the exchange gives into the Market. */
class Delivery {
  private deliveredTo: number | null = null;
  private lastSuccess: number | null = null;
  private problem: string | null = null;

  constructor(
    private readonly options: SimulatorOptions,
    private readonly clock: SimulatorClock,
    private readonly exchangeOf: () => Exchange,
  ) {}

  /** Puts what the exchange gives for the clock's present moment into the Market. */
  deliver(sink: MarketSink, updatesAt: (now: number) => readonly StockUpdate[]): void {
    const { wall, log } = this.options;
    const now = this.clock.now();
    // When the clock goes back, from a day of its own to the real one, the Market must not keep figures of the future.
    if (this.deliveredTo !== null && now < this.deliveredTo)
      sink.remove(this.exchangeOf().listings.map(({ code }) => code));
    this.deliveredTo = now;
    const updates = updatesAt(now);
    const refused = updates.length > 0 ? sink.apply(updates).refused : [];
    for (const { code, message } of refused)
      log.error('The Market refused a simulated stock', { code, reason: message });
    this.lastSuccess = wall.now();
    this.problem = null;
  }

  /** Takes note of a step that failed. */
  fail(error: unknown): void {
    // What the failed step changed may not have reached the Market, so the next one sends complete updates.
    this.exchangeOf().restart();
    if (!this.problem) this.options.log.error('A step of the simulated market failed', { error });
    this.problem =
      'The simulated market stopped by a fault of its own. Restart the server; its log tells more.';
  }

  health(): SourceHealth {
    const { problem, lastSuccess } = this;
    return { healthy: problem === null, problem, lastSuccess, measuredLagMs: 0 };
  }
}

/** Moves the exchange on, step after step, until it is stopped. */
class Stepping {
  private running: Run | null = null;

  constructor(
    private readonly delivery: Delivery,
    private readonly clock: SimulatorClock,
    private readonly exchangeOf: () => Exchange,
  ) {}

  start(sink: MarketSink): void {
    if (this.running) return;
    const run: Run = { timer: null, loaded: Promise.withResolvers() };
    this.running = run;
    this.loadSlice(sink);
    run.timer = setTimeout(() => void this.loop(sink, run), 0);
  }

  async loaded(): Promise<void> {
    return this.running?.loaded.promise;
  }

  stop(): void {
    this.running?.loaded.resolve();
    if (this.running?.timer) clearTimeout(this.running.timer);
    this.running = null;
  }

  private loadSlice(sink: MarketSink): void {
    this.delivery.deliver(sink, (now) => this.exchangeOf().load(now, LISTINGS_A_SLICE));
  }

  private async step(sink: MarketSink, run: Run): Promise<void> {
    while (this.running === run && !this.exchangeOf().ready(this.clock.now())) {
      this.loadSlice(sink);
      await nextTurn();
    }
    if (this.running === run) this.delivery.deliver(sink, (now) => this.exchangeOf().advanceTo(now));
  }

  private async loop(sink: MarketSink, run: Run): Promise<void> {
    try {
      await this.step(sink, run);
    } catch (error) {
      this.delivery.fail(error);
    }
    run.loaded.resolve();
    if (this.running === run) run.timer = setTimeout(() => void this.loop(sink, run), STEP_MS);
  }
}

/**
 * The exchange, made again when the special days change: all that it plans follows from its trading days. Its two thousand
 * listings take a while to invent, so not before the server answers.
 */
function exchangeOfDays(seed: number): () => Exchange {
  let made: { exchange: Exchange; revision: number } | null = null;
  return () => {
    const revision = specialDaysRevision();
    if (made?.revision !== revision) made = { exchange: new Exchange({ seed }), revision };
    return made.exchange;
  };
}

/**
 * The simulated market as a source. Labelled 'Simulated', never delayed. `start` returns once the first listings
 * are in; the others follow within a second in slices that leave the event loop free.
 * @throws RangeError when `start` is not a time of day
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const clock = createSimulatorClock(options);
  const exchangeOf = exchangeOfDays(options.seed);
  const { wall, log } = options;
  const delivery = new Delivery(options, clock, exchangeOf);
  const stepping = new Stepping(delivery, clock, exchangeOf);

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
      clock,
      wall,
      log,
      name: `simulator-${options.seed}`,
      planned: () => exchangeOf().announcements(),
    }),
    hasMinutes: true,
    start: async (sink) => stepping.start(sink),
    loaded: () => stepping.loaded(),
    stop: async () => stepping.stop(),
    health: () => delivery.health(),
  };
}
