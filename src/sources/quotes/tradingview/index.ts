import { phaseAt } from '#market/rules/sessionClock.ts';
import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { PollLoop, type PollResult, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import {
  type MarketSink,
  type MarketSource,
  NO_MEMORY,
  type SourceMemory,
  type RefusedUpdate,
} from '../source.ts';
import { SCREENER_COLUMNS } from './columns.ts';
import { type FeedState, healthOf, createNotices, isJudged, missingOf } from './feedState.ts';
import { delayOf, dominantMode, measureLag } from './delay.ts';
import { createLastGoodAnswer, type KeepAnswer, type LastGoodAnswer } from '#sources/lastGoodAnswer.ts';
import { createMissingFields, type MissingField } from '#sources/missingFields.ts';
import { keptLength, Listing } from './listing.ts';
import { createLoginWatch } from './loginWatch.ts';
import { createPlatformValues, type PlatformValues } from './platformValues.ts';
import { createPoll } from './poll.ts';
import type { ScanBatch, RefusedRows } from './scan.ts';

/**
 * Writes what was refused of a poll: at most one line, and none while nothing changed since the last poll.
 * @returns `report`: give it what the parser refused and what the Market refused
 */
function createRefusalLog(log: Log): {
  report(parsed: RefusedRows, market: readonly RefusedUpdate[]): void;
} {
  let last = '0';
  return {
    report(parsed, market) {
      const count = parsed.count + market.length;
      const [fromMarket] = market;
      const first = parsed.first ?? (fromMarket ? `${fromMarket.code}: ${fromMarket.message}` : null);
      const summary = count === 0 ? '0' : `${count} rows refused: ${first ?? 'no reason given'}`;
      if (summary !== last && count > 0) log.warn(summary);
      last = summary;
    },
  };
}

export type TradingViewOptions = {
  /** Base address; /australia/scan is added. */
  url: string;
  /** Value of the sessionid cookie, or a whole cookie text; null for the public data. Never logged. */
  cookie: string | null;
  pollSeconds: number;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  /** What an earlier run knew; nothing where it is absent. */
  memory?: SourceMemory;
  /** Keeps a few rows of the last good answer; nobody does where it is absent. */
  keepAnswer?: KeepAnswer;
  /** Which indicator columns are asked for. */
  values?: PlatformValues;
  random?: () => number;
  schedule?: Scheduler;
  timeoutMs?: number;
};

export type TradingViewSource = Omit<MarketSource, 'details'> & {
  details(): FeedState & { polls: number; columnsRefused: readonly string[] };
};

const OPEN_AFTER_FAILURES = 5;
const MAX_WAIT_MS = 5 * 60_000;
const TIMEOUT_MS = 15_000;
/** With the exchange closed nothing moves: one poll in so long, and the next as its day begins. */
const CLOSED_MS = 5 * 60_000;
/** After so long of continuous trading a delayed feed has values of it, too. */
const SETTLED_MS = 45 * 60_000;

/** Puts answers into the Market and remembers what they say of the feed itself. */
class Intake {
  private readonly wall: SystemClock;
  private readonly listing: Listing;
  private readonly refusals: ReturnType<typeof createRefusalLog>;
  private readonly notices: ReturnType<typeof createNotices>;
  private readonly epochOf: (reading: number) => number;
  /** By the stopwatch. */
  private lastSuccess: number | null = null;
  private measuredLagMs: number | null = null;
  private delayNow = delayOf(null, null);

  /**
   * @param intervalMs usual time between two polls
   * @param lastGood takes some rows of each good answer
   */
  constructor(
    { wall, log, cookie, memory = NO_MEMORY }: TradingViewOptions,
    private readonly intervalMs: number,
    private readonly lastGood: LastGoodAnswer,
  ) {
    this.wall = wall;
    this.listing = new Listing(() => wall.monotonic(), keptLength(memory, log));
    this.refusals = createRefusalLog(log);
    const fields = createMissingFields({ key: 'tradingview_missing', memory, clock: wall, log });
    this.notices = createNotices(log, createLoginWatch(cookie, memory, log), fields);
    this.epochOf = createEpochTimes(wall);
  }

  /** @returns the time until the next poll */
  apply(sink: MarketSink, batch: ScanBatch): number {
    const now = this.wall.now();
    const { refused } = sink.apply(batch.updates);
    const gone = batch.listed === null ? [] : this.listing.missing(batch.listed);
    if (gone.length > 0) sink.remove(gone);
    this.refusals.report(batch.refused, refused);
    const span = phaseAt(now);
    const mode = dominantMode(batch.evidence.modes);
    this.measuredLagMs = measureLag(batch.evidence, span, now) ?? this.measuredLagMs;
    this.delayNow = delayOf(mode, this.measuredLagMs);
    const isTrading = span.phase === 'open' && now - span.since >= SETTLED_MS;
    // A column that the platform does not know any more is missing as well.
    const wanted = [...new Set([...SCREENER_COLUMNS, ...batch.asked])];
    const missing = missingOf(wanted, batch, isTrading);
    this.notices.note(missing, mode, (name) => isJudged(name, batch.rows, isTrading));
    if (missing.length > 0) this.lastGood.bad();
    else this.lastGood.good({ at: now, rows: batch.sample });
    this.lastSuccess = this.wall.monotonic();
    if (span.phase !== 'closed') return this.intervalMs;
    return Math.max(this.intervalMs, Math.min(CLOSED_MS, span.until - now));
  }

  missing(): readonly MissingField[] {
    return this.notices.fields();
  }

  delay() {
    return this.delayNow;
  }

  feedState({ circuit, failure, nextAttempt }: PollState): FeedState {
    return {
      circuit,
      failure,
      nextAttempt,
      lastSuccess: this.lastSuccess === null ? null : this.epochOf(this.lastSuccess),
      measuredLagMs: this.measuredLagMs,
      shortList: this.listing.shortList(),
      notices: this.notices.current(),
    };
  }
}

/** What never changes of the source. */
const NATURE = {
  name: 'tradingview',
  ignoreStatus: () => false,
  days: 'consecutive',
  // Late, and seconds apart: intraday values come from the platform.
  hasMinutes: false,
} as const;

const lastGoodOf = ({ keepAnswer, wall }: TradingViewOptions): LastGoodAnswer =>
  createLastGoodAnswer((text) => keepAnswer?.('tradingview', text), wall);

/** The poll of these options, and the columns that the platform refused so far. */
function createColumnPoll(options: TradingViewOptions, values: PlatformValues, lastGood: LastGoodAnswer) {
  const columnsRefused: string[] = [];
  const poll = createPoll({
    ...options,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    extraColumns: values.columns,
    onBadForm: () => lastGood.bad(),
    onUnknownColumn: (column) => {
      columnsRefused.push(column);
      options.log.warn('TradingView does not know a column, going on without it', { column });
    },
  });
  return { poll, columnsRefused };
}

/**
 * The TradingView scanner as a source: polls the whole Australian market and applies each answer as one batch.
 * A poll that fails changes nothing but the health.
 * @returns a source on the wall clock; `start` does not wait for the first answer
 */
export function createTradingView(options: TradingViewOptions): TradingViewSource {
  const { wall, log, random = Math.random, schedule = timerScheduler } = options;
  const intervalMs = Math.max(0.05, options.pollSeconds) * 1000;
  const values = options.values ?? createPlatformValues();
  const lastGood = lastGoodOf(options);
  const { poll, columnsRefused } = createColumnPoll(options, values, lastGood);
  const intake = new Intake(options, intervalMs, lastGood);
  let sink: MarketSink | null = null;

  const pollOnce = async (stop: AbortSignal): Promise<PollResult> => {
    const outcome = await poll.run(stop);
    if (outcome.kind === 'failed') return outcome;
    // A source that was stopped meanwhile changes nothing more.
    return { kind: 'done', nextMs: stop.aborted || sink === null ? 0 : intake.apply(sink, outcome.batch) };
  };
  const rules = { openAfter: OPEN_AFTER_FAILURES, intervalMs, maxWaitMs: MAX_WAIT_MS };
  const edges = { clock: wall, log, schedule, random };
  const loop = new PollLoop({ name: 'TradingView', poll: pollOnce, rules, ...edges });
  const feedState = () => intake.feedState(loop.state());

  return {
    ...NATURE,
    label: () => intake.delay().label,
    delayMinutes: () => intake.delay().minutes,
    clock: { now: () => wall.now(), speed: 1 },
    everyMs: intervalMs,
    ownValues: values,
    async start(into) {
      sink = into;
      loop.start();
    },
    stop: () => loop.stop(),
    health: () => healthOf(feedState(), wall.now()),
    missing: () => intake.missing(),
    details: () => ({ ...feedState(), polls: loop.state().polls, columnsRefused: [...columnsRefused] }),
  };
}
