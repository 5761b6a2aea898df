import { MINUTE_MS } from '#lib/units.ts';
import { marketClocks } from '#platform/db/schema.ts';
import type { Db } from '#platform/db/open.ts';
import { type ClockCourse, marketTimeAt, newCourses, wentBack } from '../rules/pricePath.ts';
import { lazy } from '#lib/lazy.ts';
import type { App } from '#platform/app.ts';
import { asc, eq } from 'drizzle-orm';
import { BASKET_SIZE, largestOf, weighReaction } from '#subjects/calendar/rules/marketMoves.ts';
import { hasTraded } from '#market/rules/breadth.ts';
import { phaseAt, phasesOf } from '#market/rules/sessionClock.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { marketLevels } from '#src/tables/callSchema.ts';

const byWall = (a: ClockCourse, b: ClockCourse): number => a.wallAt - b.wallAt;

function readCourses(db: Db): Map<string, ClockCourse[]> {
  const bySource = Map.groupBy(db.select().from(marketClocks).all(), ({ source }) => source);
  return new Map([...bySource].map(([source, courses]) => [source, courses.sort(byWall)]));
}

/**
 * Converts wall times, which date calls, to the time of their market's clock. The clock's course is recorded at every tick,
 * because a simulated day starts again with each run.
 */
export class MarketTimes {
  readonly #courses: () => Map<string, ClockCourse[]>;
  #seen: ClockCourse | null = null;

  constructor(private readonly app: App) {
    this.#courses = lazy(() => readCourses(app.db));
  }

  /** Records changes of the market clock's course. Call it before converting any time. */
  update(): void {
    const { db, clock, source } = this.app;
    const known = this.#coursesOf(source.name);
    const reading = {
      wallAt: clock.now(),
      marketAt: source.clock.now(),
      speed: source.clock.speed,
    };
    const begun = newCourses(known, this.#seen, reading);
    this.#seen = reading;
    if (begun.length === 0) return;
    db.insert(marketClocks)
      .values(begun.map((course) => ({ source: source.name, ...course })))
      .run();
    this.#courses().set(source.name, [...known, ...begun].sort(byWall));
  }

  /** Converts a wall time to the time of a market's clock; both epoch ms. */
  shown(of: string, wall: number): number {
    return marketTimeAt(this.#coursesOf(of), wall);
  }

  /** Whether a market's clock went back between two wall times, so that one time axis cannot show them. */
  wentBack(of: string, from: number, until: number): boolean {
    return wentBack(this.#coursesOf(of), from, until);
  }

  #coursesOf(source: string): readonly ClockCourse[] {
    return this.#courses().get(source) ?? [];
  }
}

type MarketLevel = Omit<typeof marketLevels.$inferSelect, 'source'>;

const SLOT_MS = 15 * MINUTE_MS;
/** Shortest time between two levels if a result begins or ends in between. */
const CLOSEST_MS = MINUTE_MS;
/** Percent. A larger move of a large stock is a split or a wrong price. */
const MAX_MOVE = 40;
/** Shares open in groups after the open, so a level before the last group would be incomplete. */
const ALL_OPEN_MS = 10 * MINUTE_MS;
/** Share of the top stocks' weight that must have traded today. */
const MIN_TRADED = 0.5;
/** Minimum number of stocks. If fewer market caps are known, the most traded stocks are used. */
const MIN_STOCKS = 10;
const LIVE_FOR_MS = 1000;

function readLevels(db: Db, source: string): MarketLevel[] {
  const { at, chain, base, level } = marketLevels;
  const own = db.select({ at, chain, base, level }).from(marketLevels);
  return own.where(eq(marketLevels.source, source)).orderBy(asc(at)).all();
}

function firstFrom(levels: readonly MarketLevel[], at: number): MarketLevel | undefined {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((levels[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return levels[low];
}

type Weights = readonly { code: string; cap: number }[];

/** The largest stocks by market cap, or those with the most value traded today. */
export function chooseTop50(stocks: Iterable<Stock>): Weights {
  const all = [...stocks];
  const largest = largestOf(all);
  if (largest.length >= MIN_STOCKS) return largest;
  return all
    .flatMap(({ code, value, securityType }) =>
      securityType !== 'fund' && value !== null && value > 0 ? [{ code, cap: value }] : [],
    )
    .sort((a, b) => b.cap - a.cap)
    .slice(0, BASKET_SIZE);
}

/** A stock's move since the previous close, percent; null without a trade today. */
function moveOf(stock: Stock | undefined): number | null {
  if (!stock || !hasTraded(stock) || stock.last === null || stock.close === null || stock.close <= 0)
    return null;
  const move = (stock.last / stock.close - 1) * 100;
  return Math.abs(move) > MAX_MOVE ? null : move;
}

/**
 * Records the market's level, so that results can be measured against it. A level uses only prices of its moment,
 * because older prices would credit a call with an earlier fall.
 */
export class MarketLevels {
  readonly #bySource = new Map<string, MarketLevel[]>();
  #basket: { date: string; members: Weights } = { date: '', members: [] };
  #slot = Number.NaN;
  #isBroken = false;
  /** A result began or ended since the last level. */
  #isWanted = false;
  #live: { readAt: number; level: MarketLevel | null } | null = null;

  constructor(
    private readonly app: App,
    private readonly times: MarketTimes,
  ) {}

  /**
   * Records a level every quarter of an hour, and after the begin or end of a result; call it at every tick.
   * @returns the time of the previous level (epoch ms) if one was recorded, otherwise null
   */
  update(): number | null {
    const { db, source } = this.app;
    const slot = Math.floor(source.clock.now() / SLOT_MS);
    if (slot === this.#slot && !this.#isDue()) return null;
    const level = this.#read();
    if (level === null) return null;
    this.#slot = slot;
    this.#isWanted = false;
    this.#isBroken = false;
    const known = this.#levelsOf(source.name);
    const before = known.at(-1)?.at ?? 0;
    db.insert(marketLevels)
      .values({ source: source.name, ...level })
      .run();
    known.push(level);
    return before;
  }

  /** Adds levels of days before the recorded ones. The running day continues their chain. */
  addPast(past: readonly Omit<MarketLevel, 'chain'>[]): void {
    const { db, source } = this.app;
    const known = this.#levelsOf(source.name);
    const [first, close] = [past[0], past.at(-1)];
    if (!first || !close || (known[0] && known[0].at <= close.at)) return;
    const chain = first.at;
    const [oldest] = known;
    const later = known.map((level) =>
      level.chain === oldest?.chain
        ? { ...level, chain, base: level.base * close.level, level: level.level * close.level }
        : level,
    );
    const all = [...past.map((level) => ({ ...level, chain })), ...later];
    db.transaction(() => {
      db.delete(marketLevels).where(eq(marketLevels.source, source.name)).run();
      for (const level of all)
        db.insert(marketLevels)
          .values({ source: source.name, ...level })
          .run();
    });
    this.#bySource.set(source.name, all);
  }

  /** A result begins or ends now, so it needs a level of this minute. */
  note(): void {
    this.#isWanted = true;
  }

  #isDue(): boolean {
    if (!this.#isWanted) return false;
    const { clock, source } = this.app;
    const at = clock.now() - source.delayMinutes() * MINUTE_MS;
    return at - (this.#levelsOf(source.name).at(-1)?.at ?? 0) >= CLOSEST_MS;
  }

  /** The replay jumped: levels before and after it are not comparable. */
  jump(): void {
    this.#isBroken = true;
    this.#slot = Number.NaN;
    this.#live = null;
  }

  /**
   * The market's own move, percent; null if a level or a close is missing.
   * @param from epoch ms of the wall clock
   * @param until epoch ms of the wall clock; null for now
   */
  moveBetween(source: string, from: number, until: number | null): number | null {
    const levels = this.#levelsOf(source);
    const start = firstFrom(levels, from);
    // The market's move before the first level of a chain is unknown.
    if (!start || start.at === start.chain) return null;
    const end = (until === null ? undefined : firstFrom(levels, until)) ?? this.#liveOf(source);
    return end?.chain === start.chain ? (end.level / start.level - 1) * 100 : null;
  }

  #levelsOf(source: string): MarketLevel[] {
    const known = this.#bySource.get(source) ?? readLevels(this.app.db, source);
    this.#bySource.set(source, known);
    return known;
  }

  #liveOf(source: string): MarketLevel | null {
    if (source !== this.app.source.name) return null;
    const readAt = this.app.clock.monotonic();
    if (this.#live === null || readAt - this.#live.readAt >= LIVE_FOR_MS) {
      this.#live = {
        readAt,
        level: this.#read() ?? this.#levelsOf(source).at(-1) ?? null,
      };
    }
    return this.#live.level;
  }

  /** The level at current prices; null while the market is closed or too few stocks have traded. */
  #read(): MarketLevel | null {
    const { clock, source } = this.app;
    const delayMs = source.delayMinutes() * MINUTE_MS;
    const time = source.clock.now() - delayMs;
    const { phase, since } = phaseAt(time);
    if (phase === 'closed' || phase === 'pre-open' || phase === 'ospa') return null;
    if (phase === 'open' && time < since + ALL_OPEN_MS) return null;
    const move = this.#moveToday(sydneyDate(time));
    const at = clock.now() - delayMs;
    const last = this.#levelsOf(source.name).at(-1);
    if (move === null || (last && last.at >= at)) return null;
    const { chain, base } = this.#linkOf(last, at, time) ?? {
      chain: at,
      base: 1,
    };
    return { at, chain, base, level: base * (1 + move / 100) };
  }

  /** The level that a new one continues; null if they are not comparable. @param at by the market's clock */
  #linkOf(
    last: MarketLevel | undefined,
    at: number,
    time: number,
  ): Pick<MarketLevel, 'chain' | 'base'> | null {
    const { source } = this.app;
    if (!last || this.#isBroken || this.times.wentBack(source.name, last.at, at)) return null;
    const lastTime = this.times.shown(source.name, last.at);
    const [lastDate, date] = [sydneyDate(lastTime), sydneyDate(time)];
    if (lastDate === date) return last;
    const close = phasesOf(lastDate).find(({ phase }) => phase === 'post-close')?.since;
    const sawClose = close !== undefined && lastTime >= close;
    return sawClose && previousTradingDay(date) === lastDate ? { chain: last.chain, base: last.level } : null;
  }

  /** Weighted move of the top stocks since the previous close, percent. */
  #moveToday(date: string): number | null {
    const { market } = this.app;
    if (this.#basket.date !== date) {
      const members = chooseTop50(market.all().values());
      // After a start, a bridge sends stocks one by one.
      if (members.length < MIN_STOCKS) return null;
      this.#basket = { date, members };
    }
    const stocks = this.#basket.members.map(({ code, cap }) => ({
      change: moveOf(market.get(code)),
      cap,
    }));
    const capOf = (some: readonly { cap: number }[]): number => some.reduce((sum, { cap }) => sum + cap, 0);
    const traded = stocks.filter(({ change }) => change !== null);
    if (capOf(traded) < MIN_TRADED * capOf(stocks)) return null;
    return weighReaction(stocks)?.change ?? null;
  }
}
