import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import { callPaths } from '#src/tables/callSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { calls } from '#platform/db/schema.ts';
import { type PriceHistory, NO_PATH } from '#subjects/calls/rules/types.ts';
import { type StopStep, withStep } from '#subjects/calls/rules/trailingStop.ts';
import type { CallRow } from './store.ts';
import { lazy } from '#lib/lazy.ts';
import { packJson, unpackJson } from '#lib/pack.ts';
import type { MarketTimes } from './marketLevels.ts';
import { dayHistory, minuteHistory, type TimedBar } from '#subjects/calls/rules/pricePath.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import { drawable } from '#market/bars/rules/quoteBars.ts';
import type { App } from '#platform/app.ts';

const MAX_PATH_BYTES = 200_000;

/** The stored price history of a settled call; null if unknown. Earlier versions stored no adjustments. */
type KeptHistory = {
  path: (Omit<PriceHistory, 'adjustments'> & Partial<Pick<PriceHistory, 'adjustments'>>) | null;
};

const toNumbers = (steps: readonly StopStep[]): number[] => steps.flatMap(({ time, price }) => [time, price]);

function toSteps(numbers: readonly number[]): StopStep[] {
  const steps: StopStep[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    steps.push({ time: numbers[index] ?? 0, price: numbers[index + 1] ?? 0 });
  }
  return steps;
}

const prepareById = (db: Db) =>
  db
    .select()
    .from(calls)
    .where(eq(calls.id, sql.placeholder('id')))
    .prepare();

export class PriceHistoryStore {
  readonly #byId: () => ReturnType<typeof prepareById>;

  constructor(private readonly db: Db) {
    this.#byId = lazy(() => prepareById(db));
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** Steps of a call's trailing stop by the wall clock, oldest first. */
  stopsOf(callId: number): StopStep[] {
    return toSteps(this.#rowOf(callId)?.stops ?? []);
  }

  /** Adds steps of a trailing stop; their number is limited. */
  addStops(callId: number, steps: readonly StopStep[]): void {
    const known = steps.reduce<readonly StopStep[]>((all, step) => withStep(all, step), this.stopsOf(callId));
    const stops = toNumbers(known);
    this.db
      .insert(callPaths)
      .values({ callId, stops })
      .onConflictDoUpdate({ target: callPaths.callId, set: { stops } })
      .run();
  }

  historyOf(callId: number): KeptHistory | null {
    const bytes = this.#rowOf(callId)?.path;
    return bytes ? (unpackJson(bytes, MAX_PATH_BYTES) as KeptHistory) : null;
  }

  saveHistory(callId: number, kept: KeptHistory): void {
    const path = packJson(kept);
    this.db
      .insert(callPaths)
      .values({ callId, path })
      .onConflictDoUpdate({ target: callPaths.callId, set: { path }, setWhere: isNull(callPaths.path) })
      .run();
  }

  /** Settled calls of a source that ended since a time and have no price history. @param wall epoch ms */
  withoutHistory(source: string, wall: number): number[] {
    const isSettled = and(
      inArray(calls.status, ['closed', 'cancelled']),
      eq(calls.source, source),
      eq(calls.isAwaitingExit, false),
      gte(calls.closedAt, wall),
    );
    return this.db
      .select({ id: calls.id })
      .from(calls)
      .leftJoin(callPaths, eq(callPaths.callId, calls.id))
      .where(and(isSettled, isNull(callPaths.path)))
      .all()
      .map(({ id }) => id);
  }

  /** Prepared once, because due calls are read repeatedly. */
  byId(id: number): CallRow | undefined {
    return this.#byId().get({ id });
  }

  #rowOf(callId: number) {
    return this.db.select().from(callPaths).where(eq(callPaths.callId, callId)).get();
  }
}

type FoundHistory = { path: PriceHistory; whyNoPath: null } | { path: null; whyNoPath: string };

/** A stock and a time range by the market's clock, epoch ms. */
type Stretch = { symbol: string; from: number; until: number };

/** How long one-minute bars are stored, in days and trading days. */
const KEPT_DAYS = 9;
const KEPT_TRADING_DAYS = 6;
/** Limit of daily bars, a little more than a chart shows. */
const MAX_DAYS = 510;

/** Midnight UTC of the Sydney date, which identifies a day. */
const dateTime = (time: number): number => Date.parse(`${sydneyDate(time)}T00:00:00Z`);

function drained<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Appends the last price for the running minute or day, which has no finished bar. */
function withLast(bars: TimedBar[], time: number, last: number | null): TimedBar[] {
  const newest = bars.at(-1);
  if (last === null || (newest && newest.time >= time)) return bars;
  return [...bars, { time, open: last, high: last, low: last, close: last, volume: 0 }];
}

function minutesOf(
  { values: past, market, source }: App,
  { symbol, from, until }: Stretch,
): PriceHistory | null {
  const now = source.clock.now();
  if (!past.hasMinutes || now - from > KEPT_DAYS * DAY_MS) return null;
  const midnights = new Map<number, number>();
  const timeOf = (key: number): number => {
    const day = Math.floor(key / 1440);
    const midnight =
      midnights.get(day) ?? fromSydney(new Date(day * DAY_MS).toISOString().slice(0, 10), 0, 0);
    midnights.set(day, midnight);
    return midnight + (key % 1440) * MINUTE_MS;
  };
  const count = Math.min(KEPT_TRADING_DAYS, Math.ceil((now - from) / DAY_MS) + 1);
  const rows = drained(past.minutes(symbol, count));
  const bars = rows.map(
    ({ key, ...bar }): TimedBar => ({
      time: timeOf(key),
      ...bar,
    }),
  );
  const since = bars[0]?.time ?? now;
  // A day is known from its first trade, even if bars start later.
  const knownSince = since - from < DAY_MS && sydneyDate(since) === sydneyDate(from) ? from : since;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const gaps = past.gaps();
  // Do not carry the last price into a minute without trades.
  const isSeen = (gaps.at(-1)?.until ?? 0) < minute;
  const isRunning = now - until < MINUTE_MS && isSeen;
  const last = isRunning && bars.length > 0 ? (market.get(symbol)?.last ?? null) : null;
  return minuteHistory(withLast(bars, minute, last), { from, until }, knownSince, gaps);
}

function daysOf(
  { values: past, market, source }: App,
  { symbol, from, until }: Stretch,
): PriceHistory | null {
  const today = dateTime(source.clock.now());
  const count = Math.min(MAX_DAYS, Math.ceil((today - dateTime(from)) / DAY_MS) + 1);
  const days = past.days(symbol, count).map(drawable);
  const bars = days.map(
    ({ key, ...bar }): TimedBar => ({
      time: key * DAY_MS,
      ...bar,
    }),
  );
  const stock = market.get(symbol);
  // On a day without trading, a stock may still show figures of the last session.
  const isShown = isTradingDay(sydneyDate(source.clock.now())) && dateTime(until) === today;
  if (isShown && stock?.last && stock.open !== null && (bars.at(-1)?.time ?? 0) < today) {
    const { open, last } = stock;
    const high = Math.max(stock.high ?? last, open, last);
    const low = Math.min(stock.low ?? last, open, last);
    bars.push({
      time: today,
      open,
      high,
      low,
      close: last,
      volume: stock.volume ?? 0,
    });
  }
  return dayHistory(bars, { from: dateTime(from), until: dateTime(until) }, past.gaps());
}

/** Prices of a stock over a time range, as far as the source knows them: minutes while stored, otherwise days. */
function findHistory(app: App, stretch: Stretch): FoundHistory {
  if (stretch.until < stretch.from) return { path: null, whyNoPath: NO_PATH.brokenClock };
  const path = minutesOf(app, stretch) ?? daysOf(app, stretch);
  if (path !== null) return { path, whyNoPath: null };
  const now = app.source.clock.now();
  const isNew = now - stretch.from < DAY_MS;
  return { path: null, whyNoPath: isNew ? NO_PATH.notYet : NO_PATH.unknown };
}

/** How long one-minute bars are stored. Older calls cannot get a price history. */
const MINUTES_KEPT_MS = 9 * 86_400_000;
/** Price histories are written in batches, because each write takes some ms. */
const EVERY_MS = 30_000;
const AT_ONCE = 10;
const AT_STOP = 50;
/** How long the price history of a running call is cached, and for how many calls. */
const FOUND_FOR_MS = 10_000;
const MAX_FOUND = 100;
/** Delay after which the minute of a call's end is complete, by the market's clock. */
const WHOLE_AFTER_MS = 120_000;

/** Finds the price history of a call. Stores that of a settled call, because bars are deleted after some days. */
export class PriceHistoryKeeper {
  readonly #due = new Set<number>();
  #dueAt = 0;
  /** Cached price histories by call id, oldest first; `at` in ms of the monotonic clock. */
  readonly #lately = new Map<number, { at: number; found: FoundHistory }>();

  constructor(
    private readonly app: App,
    private readonly store: PriceHistoryStore,
    private readonly times: MarketTimes,
  ) {}

  settled(id: number): void {
    this.#due.add(id);
  }

  /** Queues calls that an earlier run settled without storing their price histories. */
  resume(): void {
    const { clock, source } = this.app;
    const now = clock.now();
    for (const id of this.store.withoutHistory(source.name, now - MINUTES_KEPT_MS)) this.#due.add(id);
  }

  /** Stores some due price histories; call it at every tick. */
  tick(): void {
    const now = this.app.clock.monotonic();
    if (this.#due.size === 0 || now < this.#dueAt) return;
    this.#dueAt = now + EVERY_MS;
    this.#keep([...this.#due].slice(0, AT_ONCE), false);
  }

  /** Stores due price histories; call it before the database closes. */
  flush(): void {
    this.#keep([...this.#due].slice(0, AT_STOP), true);
  }

  /** The stored price history, or what the running source knows now. */
  find(row: CallRow): FoundHistory {
    const kept = this.store.historyOf(row.id)?.path ?? null;
    if (kept !== null) return { path: { adjustments: [], ...kept }, whyNoPath: null };
    const isOurs = row.source === this.app.source.name;
    return isOurs ? this.#latelyFound(row) : { path: null, whyNoPath: NO_PATH.otherSource };
  }

  /** @param isLast true if this is the last chance, because a simulated market starts its day again */
  #keep(ids: readonly number[], isLast: boolean): void {
    const {
      app: { source },
      store,
      times,
    } = this;
    const found: { id: number; path: PriceHistory | null }[] = [];
    const now = source.clock.now();
    for (const id of ids) {
      const row = store.byId(id);
      if (!row || row.source !== source.name || row.closedAt === null || row.isAwaitingExit) {
        this.#due.delete(id);
        continue;
      }
      const age = now - times.shown(source.name, this.#endOf(row));
      if (isLast || age >= WHOLE_AFTER_MS || age < 0) found.push({ id, path: this.#historyOf(row).path });
    }
    if (found.length === 0) return;
    store.inTransaction(() => {
      for (const { id, path } of found) store.saveHistory(id, { path });
    });
    for (const { id } of found) this.#due.delete(id);
  }

  /** The price history of a running call, cached for some seconds because many users may view it. */
  #latelyFound(row: CallRow): FoundHistory {
    const at = this.app.clock.monotonic();
    const known = this.#lately.get(row.id);
    if (known && at - known.at < FOUND_FOR_MS) return known.found;
    const found = this.#historyOf(row);
    this.#lately.delete(row.id);
    this.#lately.set(row.id, { at, found });
    const [oldest] = this.#lately.keys();
    if (this.#lately.size > MAX_FOUND && oldest !== undefined) this.#lately.delete(oldest);
    return found;
  }

  /** @param row a call on the running source */
  #historyOf(row: CallRow): FoundHistory {
    const { times } = this;
    const end = this.#endOf(row);
    if (times.wentBack(row.source, row.submittedAt, end)) {
      return { path: null, whyNoPath: NO_PATH.brokenClock };
    }
    const from = times.shown(row.source, row.submittedAt);
    const found = findHistory(this.app, {
      symbol: row.symbol,
      from,
      until: times.shown(row.source, end),
    });
    if (found.path === null) return found;
    const adjustments = this.app.values.adjustments.of(row.symbol).filter(({ at }) => at >= row.submittedAt);
    return { ...found, path: { ...found.path, adjustments } };
  }

  /** End of a call by the wall clock. */
  #endOf(row: CallRow): number {
    if (row.closedAt === null || row.isAwaitingExit) return this.app.clock.now();
    return Math.max(row.closedAt, row.exitTradeAt ?? 0);
  }
}
