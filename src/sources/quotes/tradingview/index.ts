import { phaseAt } from '../../../market/rules/sessionClock.ts';
import { createEpochTimes, type SystemClock } from '../../../lib/clock.ts';
import type { HttpClient } from '../../../lib/httpClient/client.ts';
import { createPollLoop, type PollResult } from '../../../lib/httpClient/pollLoop.ts';
import type { Log } from '../../../lib/log.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';
import { type MarketSink, type MarketSource, NO_MEMORY, type SourceMemory } from '../source.ts';
import { type FeedState, healthOf } from './feedState.ts';
import { delayOf, dominantMode, measureLag } from './delay.ts';
import { createListing } from './listing.ts';
import { createLoginWatch } from './loginWatch.ts';
import { createNotices, missingOf } from './notices.ts';
import { createPlatformValues, type PlatformValues } from './platformValues.ts';
import { createPoll } from './poll.ts';
import { createRefusalLog } from './refusalLog.ts';
import type { ScanBatch } from './scan.ts';

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
/** With the market closed nothing moves: polls come this many times slower. */
const CLOSED_FACTOR = 6;
/** After so long of continuous trading a delayed feed has values of it, too. */
const SETTLED_MS = 45 * 60_000;

/**
 * Puts answers into the Market and remembers what they say of the feed itself.
 * @param intervalMs usual time between two polls
 * @returns `apply`: gives the time until the next poll
 */
function createIntake(
  { wall, log, cookie, memory = NO_MEMORY }: Pick<TradingViewOptions, 'wall' | 'log' | 'cookie' | 'memory'>,
  intervalMs: number,
) {
  const listing = createListing(() => wall.monotonic());
  const refusals = createRefusalLog(log);
  const notices = createNotices(log, createLoginWatch(cookie, memory, log));
  const epochOf = createEpochTimes(wall);
  /** By the stopwatch. */
  let lastSuccess: number | null = null;
  let measuredLagMs: number | null = null;
  let delay = delayOf(null, null);
  return {
    apply(sink: MarketSink, batch: ScanBatch): number {
      const now = wall.now();
      const { refused } = sink.apply(batch.updates);
      const gone = batch.listed === null ? [] : listing.missing(batch.listed);
      if (gone.length > 0) sink.remove(gone);
      refusals.report(batch.refused, refused);
      const span = phaseAt(now);
      const mode = dominantMode(batch.evidence.modes);
      measuredLagMs = measureLag(batch.evidence, span, now) ?? measuredLagMs;
      delay = delayOf(mode, measuredLagMs);
      const isTrading = span.phase === 'open' && now - span.since >= SETTLED_MS;
      notices.note(missingOf(batch.asked, batch, isTrading), mode);
      lastSuccess = wall.monotonic();
      return intervalMs * (span.phase === 'closed' ? CLOSED_FACTOR : 1);
    },
    delay: () => delay,
    known: () => ({
      lastSuccess: lastSuccess === null ? null : epochOf(lastSuccess),
      measuredLagMs,
      shortList: listing.shortList(),
      notices: notices.current(),
    }),
  };
}

/** The poll of these options, and the columns that the platform refused so far. */
function createColumnPoll(options: TradingViewOptions, values: PlatformValues) {
  const columnsRefused: string[] = [];
  const poll = createPoll({
    ...options,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    extraColumns: values.columns,
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
  const { poll, columnsRefused } = createColumnPoll(options, values);
  const intake = createIntake(options, intervalMs);
  let sink: MarketSink | null = null;

  const pollOnce = async (stop: AbortSignal): Promise<PollResult> => {
    const outcome = await poll.run(stop);
    if (outcome.kind === 'failed') return outcome;
    // A source that was stopped meanwhile changes nothing more.
    return { kind: 'done', nextMs: stop.aborted || sink === null ? 0 : intake.apply(sink, outcome.batch) };
  };
  const rules = { openAfter: OPEN_AFTER_FAILURES, intervalMs, maxWaitMs: MAX_WAIT_MS };
  const edges = { clock: wall, log, schedule, random };
  const loop = createPollLoop({ name: 'TradingView', poll: pollOnce, rules, ...edges });
  const feedState = (): FeedState => {
    const { circuit, failure, nextAttempt } = loop.state();
    return { circuit, failure, nextAttempt, ...intake.known() };
  };

  return {
    name: 'tradingview',
    label: () => intake.delay().label,
    delayMinutes: () => intake.delay().minutes,
    clock: { now: () => wall.now(), speed: 1 },
    ignoreStatus: () => false,
    days: 'consecutive',
    // Late, and seconds apart: intraday values come from the platform.
    hasMinutes: false,
    everyMs: intervalMs,
    ownValues: values,
    async start(into) {
      sink = into;
      loop.start();
    },
    stop: () => loop.stop(),
    health: () => healthOf(feedState(), wall.now()),
    details: () => ({ ...feedState(), polls: loop.state().polls, columnsRefused: [...columnsRefused] }),
  };
}
