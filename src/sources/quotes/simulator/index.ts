import { SIMULATED } from '#market/rules/replay.ts';
import {
  isTradingDay,
  nextTradingDay,
  previousTradingDay,
  specialDaysRevision,
} from '#market/rules/tradingDay.ts';
import type { StockUpdate } from '#market/rules/stock.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import { NO_MEMORY, type SourceMemory } from '#sources/answerForm.ts';
import { createSimulatedAnnouncements } from '#sources/announcements/simulator.ts';
import type {
  MarketSink,
  MarketSource,
  SkipTarget,
  SourceHealth,
  MarketClock,
} from '#market/sources/quotes.ts';
import { Exchange, simulatedHistory } from './exchange.ts';
import { simulatedOvernight } from './overnight.ts';
import { createPhaseReader, phasesOf, type PhaseSpan, sessionAt } from '#market/rules/sessionClock.ts';
import { fromSydney, sydneyDate, sydneyParts } from '#lib/sydneyTime.ts';

type SimulatorClock = MarketClock & {
  outsideHours(): boolean;
  /** Moves its own day forward. @returns false while it follows the exchange */
  skip(target: SkipTarget): boolean;
};

type TimeOfDay = { hour: number; minute: number };

type SimulatedDay = { date: string; wall: number; market: number; end: number };

/** The real exchange counts as open this long after the post close, to show the last changes. */
const GRACE_MS = 30_000;
const AUTO_START: TimeOfDay = { hour: 10, minute: 2 };
const NEXT_DAY_START: TimeOfDay = { hour: 7, minute: 0 };
/** More trading days than its own days can pass before the exchange opens, even over Easter. */
const FIRST_DAYS_BACK = 15;

/** Where its own day may be moved. */
const SKIPS: Readonly<Record<SkipTarget, TimeOfDay>> = {
  'pre-open': { hour: 9, minute: 45 },
  open: AUTO_START,
};

const dayAt = (date: string, wall: number, market: number): SimulatedDay => ({
  date,
  wall,
  market,
  end: phasesOf(date).at(-1)?.until ?? fromSydney(date, 19, 0),
});

const dayFrom = (date: string, wall: number, { hour, minute }: TimeOfDay): SimulatedDay =>
  dayAt(date, wall, fromSydney(date, hour, minute));

const isInHours = ({ phase, since }: PhaseSpan, now: number): boolean =>
  phase === 'adjust' ? now < since + GRACE_MS : phase !== 'closed';

function comingDay(now: number, isExchangeOpen: boolean): string {
  const { date, hour } = sydneyParts(now);
  return isTradingDay(date) && (hour < 7 || isExchangeOpen) ? date : nextTradingDay(date);
}

function todayOrNext(now: number): string {
  const { date } = sydneyParts(now);
  return isTradingDay(date) ? date : nextTradingDay(date);
}

function firstDate(now: number): string {
  let { date } = sydneyParts(now);
  for (let days = 0; days < FIRST_DAYS_BACK; days += 1) date = previousTradingDay(date);
  return date;
}

function readStart(start: string): TimeOfDay | null {
  if (start === 'auto') return null;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(start) ?? [];
  if (hour === undefined || minute === undefined)
    throw new RangeError(`"${start}" is not a time of day; write auto or a Sydney time such as 09:50.`);
  return { hour: Number(hour), minute: Number(minute) };
}

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

/** Its own day, saved so that a restart continues it. */
export type KeptDay = {
  /** The wall clock and the market's time when it began, epoch ms; null if none was saved. */
  read(): { wall: number; market: number } | null;
  write(day: { wall: number; market: number }): void;
};

export type SimulatorClockOptions = {
  start: string;
  speed: number;
  wall: Clock;
  /** Absent if nothing is saved over a restart. */
  kept?: KeptDay;
  /** Whether the server has no accounts yet. */
  isNew?: boolean;
};

/**
 * The simulated market's clock.
 * - start 'auto', speed 1: the wall clock while the real exchange is open; otherwise its own day, from 10:02
 * of the coming trading day. A new server begins three weeks ago instead, so that its time never goes back
 * when the exchange opens. A restart before that continues the own day.
 * - start 'auto', any other speed: its own day from 10:02, because the wall clock has only one speed.
 * - start 'HH:MM': its own day from that Sydney time, on the wall's date if it is a trading day, otherwise on
 * the next.
 * Its own day ends at 19:00 and continues at 07:00 of the next trading day.
 * @throws RangeError if `start` is neither 'auto' nor a time of day
 */
export function createSimulatorClock(options: SimulatorClockOptions): SimulatorClock {
  const { speed, wall, kept } = options;
  const start = readStart(options.start);
  const followsExchange = start === null && speed === 1;
  let isNew = options.isNew ?? false;
  let own: SimulatedDay | null = null;
  /** When the exchange opens after the own day began, epoch ms. */
  let opensAt = Number.POSITIVE_INFINITY;
  const readPhase = createPhaseReader();
  const isExchangeOpen = (now: number): boolean => isInHours(readPhase(now), now);

  function begin(day: SimulatedDay): SimulatedDay {
    if (followsExchange) {
      opensAt = sessionAt(day.wall).until;
      kept?.write({ wall: day.wall, market: day.market });
    }
    own = day;
    return day;
  }

  function firstDay(now: number): SimulatedDay {
    if (start) return begin(dayFrom(todayOrNext(now), now, start));
    const saved = followsExchange ? (kept?.read() ?? null) : null;
    if (saved && now >= saved.wall && now < sessionAt(saved.wall).until) {
      return begin(dayAt(sydneyDate(saved.market), saved.wall, saved.market));
    }
    const isFirst = followsExchange && isNew && saved === null;
    return begin(dayFrom(isFirst ? firstDate(now) : comingDay(now, isExchangeOpen(now)), now, AUTO_START));
  }

  const followsWall = (now: number): boolean => followsExchange && isExchangeOpen(now);

  function ownTime(now: number): number {
    // A server that slept through a real session begins another day.
    const { day, time } = marketTime(own && now < opensAt ? own : firstDay(now), now, speed);
    own = day;
    return Math.round(time);
  }

  return {
    now() {
      const now = wall.now();
      if (!followsWall(now)) return ownTime(now);
      own = null;
      isNew = false;
      return now;
    },
    get speed() {
      return followsWall(wall.now()) ? 1 : speed;
    },
    outsideHours: () => !isExchangeOpen(wall.now()),
    skip(target) {
      const now = wall.now();
      if (followsWall(now)) return false;
      const time = ownTime(now);
      const date = sydneyDate(time);
      const { hour, minute } = SKIPS[target];
      const isAhead = time < fromSydney(date, hour, minute);
      begin(dayFrom(isAhead ? date : nextTradingDay(date), now, SKIPS[target]));
      return true;
    },
  };
}

export type SimulatorOptions = Omit<SimulatorClockOptions, 'kept'> & {
  seed: number;
  log: Log;
  memory?: SourceMemory | undefined;
};

const DAY_KEY = 'simulator_day';

/** A day that can't be saved only begins again after a restart. */
const keptDayIn = (memory: SourceMemory, log: Log): KeptDay => ({
  read: () => {
    const saved = memory.read(DAY_KEY);
    const [, wall, market] = /^(\d{1,16}) (\d{1,16})$/.exec(typeof saved === 'string' ? saved : '') ?? [];
    return wall && market ? { wall: Number(wall), market: Number(market) } : null;
  },
  write: ({ wall, market }) => {
    try {
      memory.write(DAY_KEY, `${wall} ${market}`);
    } catch (error) {
      log.warn('The time of the simulated market was not saved', { error });
    }
  },
});

export type Simulator = MarketSource & { readonly exchange: Exchange };

const STEP_MS = 250;
/** Planning a listing takes about 0.2 ms; this many keep the event loop free on a small computer. */
const LISTINGS_A_SLICE = 20;

/** One object per start, so that a loop notices its own stop after a restart. */
type Run = { timer: ReturnType<typeof setTimeout> | null; loaded: PromiseWithResolvers<void> };

class Delivery {
  private deliveredTo: number | null = null;
  private lastSuccess: number | null = null;
  private problem: string | null = null;

  constructor(
    private readonly options: SimulatorOptions,
    private readonly clock: SimulatorClock,
    private readonly exchangeOf: () => Exchange,
  ) {}

  deliver(sink: MarketSink, updatesAt: (now: number) => readonly StockUpdate[]): void {
    const { wall, log } = this.options;
    const now = this.clock.now();
    // If the clock goes back, from its own day to the real one, the Market must drop figures of the future.
    if (this.deliveredTo !== null && now < this.deliveredTo)
      sink.remove(this.exchangeOf().listings.map(({ code }) => code));
    this.deliveredTo = now;
    const updates = updatesAt(now);
    const refused = updates.length > 0 ? sink.apply(updates).refused : [];
    for (const { code, message } of refused)
      log.error('The market rejected a simulated stock', { code, reason: message });
    this.lastSuccess = wall.now();
    this.problem = null;
  }

  fail(error: unknown): void {
    // The failed step may not have reached the Market, so the next one sends complete updates.
    this.exchangeOf().restart();
    if (!this.problem) this.options.log.error('A step of the simulated market failed', { error });
    this.problem = 'The simulated market stopped because of an error. See the log and restart the server.';
  }

  health(): SourceHealth {
    const { problem, lastSuccess } = this;
    return { healthy: problem === null, problem, lastSuccess, measuredLagMs: 0 };
  }
}

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
 * Creates the exchange again if the special days change, because its plans depend on the trading days. Two
 * thousand listings take a while, so it is created after the server answers.
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
 * The simulated market, labelled 'Simulated' and never delayed. `start` resolves with the first listings; the
 * others follow within a second, in slices.
 * @throws RangeError if `start` is not a time of day
 */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { wall, log, memory = NO_MEMORY } = options;
  const clock = createSimulatorClock({ ...options, kept: keptDayIn(memory, log) });
  const exchangeOf = exchangeOfDays(options.seed);
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
    sessions: { name: `simulator ${options.seed}`, make: { kind: 'simulated', seed: options.seed } },
    skip: clock.skip,
    overnight: () => simulatedOvernight(options.seed, clock.now()),
    start: async (sink) => stepping.start(sink),
    loaded: () => stepping.loaded(),
    stop: async () => stepping.stop(),
    health: () => delivery.health(),
  };
}
