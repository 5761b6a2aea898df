import { phaseAt } from '../../../domain/market/sessionClock.ts';
import type { Log } from '../../../lib/log.ts';
import type { MarketSink, MarketSource } from '../source.ts';
import type { Clock } from '../../../lib/clock.ts';
import {
  afterFailure,
  afterSuccess,
  backoff,
  beforeAttempt,
  CLOSED,
  type CircuitRules,
} from '../../../lib/httpClient/circuit.ts';
import type { ExtraColumn } from './columns.ts';
import { type FeedState, healthOf } from './feedState.ts';
import { delayOf, dominantMode, measureLag } from './delay.ts';
import type { Fetch } from './fetchScan.ts';
import { createListing } from './listing.ts';
import { createPoll } from './poll.ts';
import { createRefusalLog } from './refusalLog.ts';
import type { ScanBatch } from './scan.ts';
import { type Scheduler, timerScheduler } from '../../../lib/scheduler.ts';

export type TradingViewOptions = {
  /** Base address; /australia/scan is added. */
  url: string;
  /** Value of the sessionid cookie, or a whole cookie text; null for the public data. Never logged. */
  cookie: string | null;
  pollSeconds: number;
  wall: Clock;
  log: Log;
  /** Indicator columns in use now; asked before each poll. */
  extraColumns?: () => readonly ExtraColumn[];
  fetch?: Fetch;
  random?: () => number;
  schedule?: Scheduler;
  timeoutMs?: number;
};

export type TradingViewSource = MarketSource & {
  /** For the state inspector. */
  stats(): FeedState & { polls: number; columnsRefused: readonly string[] };
};

const OPEN_AFTER_FAILURES = 5;
const LONGEST_WAIT_MS = 5 * 60_000;
const TIMEOUT_MS = 15_000;
/** With the market closed nothing moves: polls come this many times slower. */
const CLOSED_FACTOR = 6;

/**
 * The TradingView scanner as a source: polls the whole Australian market and applies each answer as one batch.
 * A poll that fails changes nothing but the health; the next comes later and later, with one probe at a time once
 * the circuit is open. Polls never overlap: the next is planned when the last one is done.
 * @returns a source on the wall clock; `start` does not wait for the first answer
 */
export function createTradingView(options: TradingViewOptions): TradingViewSource {
  const { wall, log } = options;
  const random = options.random ?? Math.random;
  const schedule = options.schedule ?? timerScheduler;
  const intervalMs = Math.max(0.05, options.pollSeconds) * 1000;
  const rules: CircuitRules = { openAfter: OPEN_AFTER_FAILURES, intervalMs, longestMs: LONGEST_WAIT_MS };
  const columnsRefused: string[] = [];
  const poll = createPoll({
    url: options.url,
    cookie: options.cookie,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    wall,
    fetch: options.fetch ?? fetch,
    schedule,
    extraColumns: options.extraColumns ?? (() => []),
    onUnknownColumn: (column) => {
      columnsRefused.push(column);
      log.warn('TradingView does not know a column, going on without it', { column });
    },
  });
  const listing = createListing();
  const refusals = createRefusalLog(log);
  const condition: FeedState = {
    circuit: CLOSED,
    failure: null,
    lastSuccess: null,
    nextAttempt: null,
    measuredLagMs: null,
  };
  let delay = delayOf(null, null);
  let polls = 0;
  let stopped: AbortController | null = null;
  let cancelNext = (): void => undefined;
  let running: Promise<void> = Promise.resolve();

  const succeed = (sink: MarketSink, batch: ScanBatch): number => {
    const now = wall.now();
    const { refused } = sink.apply(batch.updates);
    const gone = batch.listed === null ? [] : listing.missing(batch.listed);
    if (gone.length > 0) sink.remove(gone);
    refusals.report(batch.refused, refused);
    condition.measuredLagMs = measureLag(batch.evidence, phaseAt(now), now) ?? condition.measuredLagMs;
    delay = delayOf(dominantMode(batch.evidence.modes), condition.measuredLagMs);
    if (condition.failure !== null)
      log.info('TradingView answers again', { failures: condition.circuit.failures });
    condition.circuit = afterSuccess();
    condition.failure = null;
    condition.lastSuccess = now;
    const slower = phaseAt(now).phase === 'closed' ? CLOSED_FACTOR : 1;
    return intervalMs * slower * (0.9 + random() * 0.2);
  };

  const fail = (reason: string, retryAfterMs: number | null): number => {
    const now = wall.now();
    const waitMs = backoff(condition.circuit.failures + 1, retryAfterMs, rules, random());
    const wasClosed = condition.circuit.state === 'closed';
    condition.circuit = afterFailure(condition.circuit, now, waitMs, rules);
    const { state, failures } = condition.circuit;
    const told = condition.failure === reason && wasClosed === (state === 'closed');
    const write = told ? log.debug : log.warn;
    condition.failure = reason;
    write(`TradingView ${reason}`, { failures, circuit: state, nextTrySeconds: Math.round(waitMs / 1000) });
    return waitMs;
  };

  /** Gives the wait until the next poll. Nothing thrown on the way may end the polling. */
  const attempt = async (sink: MarketSink, stop: AbortSignal): Promise<number> => {
    try {
      const outcome = await poll.run(stop);
      if (stop.aborted) return 0;
      return outcome.kind === 'batch'
        ? succeed(sink, outcome.batch)
        : fail(outcome.reason, outcome.retryAfterMs);
    } catch (error) {
      log.error('An answer of TradingView could not be applied', { error });
      return fail('sent an answer that could not be applied', null);
    }
  };

  const pollOnce = async (sink: MarketSink, stop: AbortSignal): Promise<void> => {
    condition.nextAttempt = null;
    condition.circuit = beforeAttempt(condition.circuit, wall.now());
    polls += 1;
    const waitMs = await attempt(sink, stop);
    if (stop.aborted) return;
    condition.nextAttempt = wall.now() + waitMs;
    cancelNext = schedule(waitMs, () => {
      running = pollOnce(sink, stop);
    });
  };

  return {
    name: 'tradingview',
    label: () => delay.label,
    delayMinutes: () => delay.minutes,
    clock: { now: () => wall.now(), speed: 1 },
    ignoreStatus: () => false,
    async start(sink) {
      if (stopped !== null) return;
      stopped = new AbortController();
      running = pollOnce(sink, stopped.signal);
    },
    async stop() {
      stopped?.abort();
      cancelNext();
      await running;
      condition.nextAttempt = null;
      stopped = null;
    },
    health: () => healthOf(condition, wall.now()),
    stats: () => ({ ...condition, polls, columnsRefused: [...columnsRefused] }),
  };
}
