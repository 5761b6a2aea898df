import { MINUTE_MS } from '#lib/units.ts';
import { phaseAt, type SessionPhase } from '#market/rules/sessionClock.ts';
import { createEpochTimes, type SystemClock } from '#lib/clock.ts';
import type { HttpClient } from '#lib/httpClient/client.ts';
import { PollLoop, type PollResult, type PollState } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import {
  type MarketSink,
  type MarketSource,
  type RefusedUpdate,
  type OwnValues,
  type ValuesInUse,
} from '#market/sources/quotes.ts';
import {
  createLastGoodAnswer,
  createMissingFields,
  type KeepAnswer,
  type LastGoodAnswer,
  NO_MEMORY,
  type SourceMemory,
} from '#sources/answerForm.ts';
import { type MissingField } from '#market/sources/announcements.ts';
import { type ExtraColumn, platformColumn, SCREENER_COLUMNS } from './columns.ts';
import {
  createLoginWatch,
  createFeedProblems,
  type FeedState,
  healthOf,
  isJudged,
  keptLength,
  Listing,
  missingOf,
} from './feedState.ts';
import { createOvernight } from './overnight.ts';
import { createPoll, type RefusedRows, type ScanBatch } from './scan.ts';
import { feedDelay, type FeedDelay, PUBLIC_DELAY_MINUTES, tradeLag } from '#market/rules/quoteLag.ts';
import type { Evidence } from './row.ts';
import { type DemandItem, valueKeyOf } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';

const PLATFORM_PERIOD = '1M';

type PlatformValues = OwnValues & {
  columns(): readonly ExtraColumn[];
};

function columnsOf(item: DemandItem, catalog: Catalog): ExtraColumn[] {
  if (item.kind === 'htf') {
    const { period, field } = item.choice;
    if (period !== PLATFORM_PERIOD) return [];
    return [{ column: `${field}|1M`, tf: period, key: field, valueKey: '', into: 'htf' }];
  }
  const { choice, key } = item;
  const family = catalog.indicators[choice.family];
  const column = family ? platformColumn(family, choice) : null;
  return column === null ? [] : [{ column, tf: choice.tf, key, valueKey: valueKeyOf(choice.delay) }];
}

export function createPlatformValues(): PlatformValues {
  let inUse: ValuesInUse | null = null;
  let known: { items: readonly DemandItem[]; catalog: Catalog; columns: readonly ExtraColumn[] } | null =
    null;
  return {
    has: (item) => item.kind === 'indicator' || item.choice.period === PLATFORM_PERIOD,
    serve(values) {
      inUse = values;
      known = null;
    },
    columns() {
      if (!inUse) return [];
      const items = inUse.items();
      const catalog = inUse.catalog();
      if (known?.items !== items || known.catalog !== catalog) {
        known = { items, catalog, columns: items.flatMap((item) => columnsOf(item, catalog)) };
      }
      return known.columns;
    },
  };
}

/**
 * The age of the newest trade. The older of two times counts, because a server may stamp a delayed bar with
 * its own time. For the same reason a fresh time proves nothing outside continuous trading.
 * @param span the exchange's current phase
 * @param now epoch ms
 * @returns ms, at least 0; null if it can't be measured
 */
export function measureLag(
  evidence: Evidence,
  span: { phase: SessionPhase; since: number },
  now: number,
): number | null {
  const { newestUpdate, newestMinute } = evidence;
  const stated = [newestUpdate, newestMinute === null ? null : newestMinute + MINUTE_MS];
  const times = stated.filter((time): time is number => time !== null);
  return times.length === 0 ? null : tradeLag(Math.min(...times), span, now);
}

const dominantMode = (modes: ReadonlyMap<string, number>): string | null =>
  [...modes].reduce<[string | null, number]>(
    (best, entry) => (entry[1] > best[1] ? entry : best),
    [null, 0],
  )[0];

/** The delay that an update_mode states, in minutes; the public delay if it states none. */
function declaredMinutes(mode: string | null): number {
  if (mode === 'streaming') return 0;
  const seconds = /^delayed_streaming_(\d{1,5})$/.exec(mode ?? '')?.[1];
  return seconds === undefined ? PUBLIC_DELAY_MINUTES : Math.round(Number(seconds) / 60);
}

export const delayOf = (mode: string | null, lagMs: number | null): FeedDelay =>
  feedDelay({
    lagMs,
    declaredMinutes: declaredMinutes(mode),
    unmeasuredMinutes: PUBLIC_DELAY_MINUTES,
  });

/**
 * Logs refusals, at most one line per poll, and only after a change.
 * @returns `report`: takes the refusals of the parser and of the Market
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
  url: string;
  /** The sessionid cookie, or a whole cookie text; null for public data. Never logged. */
  cookie: string | null;
  pollSeconds: number;
  wall: SystemClock;
  log: Log;
  http: HttpClient;
  memory?: SourceMemory;
  keepAnswer?: KeepAnswer;
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
const CLOSED_MS = 5 * 60_000;
/** A delayed feed has values after this much continuous trading. */
const SETTLED_MS = 45 * 60_000;

class Intake {
  private readonly wall: SystemClock;
  private readonly listing: Listing;
  private readonly refusals: ReturnType<typeof createRefusalLog>;
  private readonly problems: ReturnType<typeof createFeedProblems>;
  private readonly epochOf: (reading: number) => number;
  private lastSuccess: number | null = null;
  private measuredLagMs: number | null = null;
  private delayNow = delayOf(null, null);

  constructor(
    { wall, log, cookie, memory = NO_MEMORY }: TradingViewOptions,
    private readonly intervalMs: number,
    private readonly lastGood: LastGoodAnswer,
  ) {
    this.wall = wall;
    this.listing = new Listing(() => wall.monotonic(), keptLength(memory, log));
    this.refusals = createRefusalLog(log);
    const fields = createMissingFields({ key: 'tradingview_missing', memory, clock: wall, log });
    this.problems = createFeedProblems(log, createLoginWatch(cookie, memory, log), fields);
    this.epochOf = createEpochTimes(wall);
  }

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
    const wanted = [...new Set([...SCREENER_COLUMNS, ...batch.asked])];
    const missing = missingOf(wanted, batch, isTrading);
    this.problems.note(missing, mode, (name) => isJudged(name, batch.rows, isTrading));
    if (missing.length > 0) this.lastGood.bad();
    else this.lastGood.good({ at: now, rows: batch.sample });
    this.lastSuccess = this.wall.monotonic();
    if (span.phase !== 'closed') return this.intervalMs;
    return Math.max(this.intervalMs, Math.min(CLOSED_MS, span.until - now));
  }

  missing(): readonly MissingField[] {
    return this.problems.fields();
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
      problems: this.problems.current(),
    };
  }
}

const NATURE = {
  name: 'tradingview',
  ignoreStatus: () => false,
  days: 'consecutive',
  // Quotes are late and seconds apart; intraday values come from the platform.
  hasMinutes: false,
} as const;

const lastGoodOf = ({ keepAnswer, wall }: TradingViewOptions): LastGoodAnswer =>
  createLastGoodAnswer((text) => keepAnswer?.('tradingview', text), wall);

function createColumnPoll(options: TradingViewOptions, values: PlatformValues, lastGood: LastGoodAnswer) {
  const columnsRefused: string[] = [];
  const poll = createPoll({
    ...options,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    extraColumns: values.columns,
    onBadForm: () => lastGood.bad(),
    onUnknownColumn: (column) => {
      columnsRefused.push(column);
      options.log.warn('TradingView does not have a column; continuing without it', { column });
    },
  });
  return { poll, columnsRefused };
}

/**
 * Polls the whole Australian market and applies each answer as one batch. A failed poll changes only the
 * health.
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
    return { kind: 'done', nextMs: stop.aborted || sink === null ? 0 : intake.apply(sink, outcome.batch) };
  };
  const rules = { openAfter: OPEN_AFTER_FAILURES, intervalMs, maxWaitMs: MAX_WAIT_MS };
  const edges = { clock: wall, log, schedule, random };
  const loop = new PollLoop({ name: 'TradingView', poll: pollOnce, rules, ...edges });
  const feedState = () => intake.feedState(loop.state());
  const overnight = createOvernight(options);

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
    overnight: overnight.figures,
    async stop() {
      overnight.stop();
      await loop.stop();
    },
    health: () => healthOf(feedState(), wall.now()),
    missing: () => intake.missing(),
    details: () => ({ ...feedState(), polls: loop.state().polls, columnsRefused: [...columnsRefused] }),
  };
}
