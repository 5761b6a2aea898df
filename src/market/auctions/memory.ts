import { isRecord } from '#lib/json.ts';
import type { Log } from '#lib/log.ts';
import { nextTurn } from '#lib/turns.ts';
import type { App, Part } from '#platform/app.ts';
import type { Db } from '#platform/db/open.ts';
import type { KnownSession } from '../sources/quotes.ts';
import type { ObservedMarket } from '../observed.ts';
import { createPhaseReader } from '../rules/sessionClock.ts';
import type { SurplusFlip } from '../rules/stock.ts';
import type { StockPatch } from '../rules/stream.ts';
import { Segments } from '../segments.ts';
import type { ChangeSet } from '../types.ts';
import {
  type AuctionTimes,
  auctionTimes,
  type AuctionTrade,
  type DayEvents,
  DayLog,
  type StatusChange,
} from './dayEvents.ts';
import { type AuctionPoint, auctionPointOf, type DayEventsAnswer } from './rules/auction.ts';
import { AuctionSeries, type KnownSide, pointsIn, SurplusFlips } from './series.ts';

type AuctionSegment = {
  at: number;
  points: ReadonlyMap<string, readonly AuctionPoint[]>;
  events: ReadonlyMap<string, DayEvents>;
};

type Row = readonly (number | null)[];

/** The segment as JSON; a change is [ms since the previous one, price, volume, surplus]. */
function plainAuctions({ at, points, events }: AuctionSegment) {
  const packed: Record<string, Row[]> = {};
  for (const [code, list] of points) {
    let before = 0;
    packed[code] = list.map(({ time, price, volume, surplus }) => {
      const row = [time - before, price, volume, surplus];
      before = time;
      return row;
    });
  }
  return { at, points: packed, events: Object.fromEntries(events) };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isFigure = (value: unknown): value is number | null => value === null || isTime(value);
const isRow = (value: unknown): value is [number, ...(number | null)[]] =>
  Array.isArray(value) && value.length === 4 && isTime(value[0]) && value.every(isFigure);

function pointsOf(rows: readonly [number, ...(number | null)[]][]): AuctionPoint[] {
  let time = 0;
  return rows.map(([since, price = null, volume = null, surplus = null]) => {
    time += since;
    return { time, price, volume, surplus };
  });
}

const isStatus = (value: unknown): value is StatusChange =>
  isRecord(value) && isTime(value['time']) && typeof value['status'] === 'string';

const isTrade = (value: unknown): value is AuctionTrade =>
  isRecord(value) &&
  isTime(value['time']) &&
  (value['kind'] === 'open' || value['kind'] === 'close') &&
  isTime(value['price']) &&
  isFigure(value['volume']);

function eventsOf(value: unknown): DayEvents | null {
  if (!isRecord(value)) return null;
  const { statuses, auctions, volumeBefore } = value;
  if (!Array.isArray(statuses) || !statuses.every(isStatus)) return null;
  if (!Array.isArray(auctions) || !auctions.every(isTrade) || !isFigure(volumeBefore)) return null;
  return { statuses, auctions, volumeBefore };
}

function readAuctions(plain: unknown): AuctionSegment | null {
  if (!isRecord(plain) || !isTime(plain['at'])) return null;
  const { points, events } = plain;
  if (!isRecord(points) || !isRecord(events)) return null;
  const allPoints = new Map<string, AuctionPoint[]>();
  const allEvents = new Map<string, DayEvents>();
  for (const [code, rows] of Object.entries(points)) {
    if (!Array.isArray(rows) || !rows.every(isRow)) return null;
    allPoints.set(code, pointsOf(rows));
  }
  for (const [code, value] of Object.entries(events)) {
    const known = eventsOf(value);
    if (!known) return null;
    allEvents.set(code, known);
  }
  return { at: plain['at'], points: allPoints, events: allEvents };
}

export const savedAuctions = (db: Db, source: string, log: Log): Segments<AuctionSegment> =>
  new Segments(db, source, 'auctions', log, { read: readAuctions, plain: plainAuctions });

/**
 * Reads a session to its end in parts. All callers share one read.
 * @param session undefined if the source sends only changes: nothing is then read
 * @returns resolves when the session is complete; rejects with the error of `readOn`
 */
function createSessionReading(session: KnownSession | undefined): () => Promise<void> {
  let reading: Promise<void> | null = null;

  async function readOn(known: KnownSession): Promise<void> {
    while (!known.isAtHand()) {
      known.readOn();
      await nextTurn();
    }
  }

  return async () => {
    if (!session || session.isAtHand()) return;
    reading ??= readOn(session).finally(() => {
      reading = null;
    });
    await reading;
  };
}

const WRITE_EVERY_MS = 60_000;

type Auctions = {
  date(): string;
  /**
   * Resolves once `auction` and `events` are complete; a replay must first read the recording. @throws
   * RecordingError if it can't be read
   */
  ready(): Promise<void>;
  auction(code: string): ReturnType<AuctionSeries['get']>;
  events(code: string): Pick<DayEventsAnswer, 'statuses' | 'auctions'> | undefined;
  /** Stocks whose surplus changed sides in the running auction, and when it did last. */
  flips(): { code: string; side: SurplusFlip; time: number }[];
};

const AUCTION_MEMBERS = ['match_price', 'match_vol', 'buy_surplus', 'status'] as const;
const EVENT_MEMBERS = ['status', 'open', 'preOpen', 'volume'] as const;

function hasAny(patch: StockPatch, members: readonly (keyof StockPatch)[]): boolean {
  for (const member of members) if (patch[member] !== undefined) return true;
  return false;
}

class SessionAuctions {
  readonly series = new AuctionSeries();
  readonly events = new DayLog();
  private readonly log: Log;
  private readonly segments: ReturnType<typeof savedAuctions>;
  private times: { date: string; of: AuctionTimes } | undefined;
  private readonly readPhase = createPhaseReader();

  constructor(
    private readonly app: App,
    private readonly market: ObservedMarket,
  ) {
    this.log = app.log.child('auctions');
    this.segments = savedAuctions(app.db, app.source.name, this.log);
  }

  clear(): void {
    this.series.clear();
    this.events.clear();
  }

  take(changes: ChangeSet, date: string): void {
    const now = this.app.source.clock.now();
    if (this.times?.date !== date) this.times = { date, of: auctionTimes(date) };
    const { phase } = this.readPhase(now);
    const isDelayed = this.app.source.delayMinutes() > 0;
    for (const code in changes.upsert) {
      const patch = changes.upsert[code];
      const stock = patch && this.market.get(code);
      if (!stock) continue;
      const point = hasAny(patch, AUCTION_MEMBERS) ? auctionPointOf(stock, now, phase) : null;
      if (point) this.series.add(code, point);
      if (!hasAny(patch, EVENT_MEMBERS)) continue;
      const quoteTime = this.market.statedQuoteTime(code) ?? (isDelayed ? null : now);
      this.events.take(stock, now, quoteTime, this.times.of);
    }
  }

  /**
   * Restores an earlier run of the same session.
   * @returns the time of the last segment, epoch ms on the market's clock; null if there is none
   */
  restore(date: string): number | null {
    const now = this.app.source.clock.now();
    let at: number | null = null;
    for (const segment of this.segments.load(date, date)) {
      if (segment.at > now) continue;
      at = segment.at;
      for (const [code, points] of segment.points) for (const point of points) this.series.add(code, point);
      for (const [code, events] of segment.events) this.events.restore(code, events);
    }
    this.series.saved();
    return at;
  }

  save(date: string): void {
    const [points, events] = [this.series.unsaved(), this.events.unsaved()];
    if (points.size === 0 && events.size === 0) return;
    try {
      this.segments.append(date, { at: this.app.source.clock.now(), points, events });
      this.series.saved();
      this.events.saved();
    } catch (error) {
      this.log.error('Could not save auction updates; trying again', { error });
    }
  }

  prune(date: string): number {
    return this.segments.prune(date);
  }
}

function knownSides(
  market: ObservedMarket,
  session: KnownSession,
  now: number,
): Iterable<readonly [string, KnownSide]> {
  const known = new AuctionSeries();
  for (const [code, stock] of market.all()) {
    if (stock.status === 'Pre Open' || stock.status === 'CSPA')
      known.complete(code, pointsIn(session.of(code).columns));
  }
  return known.sides(now);
}

/**
 * Auctions, statuses and surplus flips of the session by the market's clock, stored at most once a minute. If
 * the source knows the whole session, nothing is stored here and a jump changes nothing.
 */
export class AuctionMemory implements Part {
  readonly name = 'auctions';
  readonly service: Auctions;
  private readonly memory: SessionAuctions;
  private readonly flips: SurplusFlips;
  private readonly known: KnownSession | undefined;
  private readonly completed = new Set<string>();
  private date = '';
  private timer: ReturnType<typeof setInterval> | undefined;

  private readonly market: ObservedMarket;

  constructor(private readonly app: App) {
    const { market } = app;
    this.market = market;
    this.memory = new SessionAuctions(app, market);
    this.flips = new SurplusFlips(market, app.source.clock);
    market.observe(this.flips);
    this.known = app.source.history?.session;
    this.service = {
      date: () => this.follow(),
      ready: createSessionReading(this.known),
      auction: (code) => this.auctionOf(code),
      events: (code) => this.eventsOf(code),
      flips: () => this.flipped(),
    };
  }

  readonly onChanges = (changes: ChangeSet | null): void => {
    const today = this.follow();
    if (changes && !this.known) this.memory.take(changes, today);
  };

  readonly onJump = (): void => {
    this.forget();
    if (this.known) this.flips.restoreMarks(this.sides());
  };

  readonly start = (): void => {
    if (this.known) return;
    const at = this.memory.restore(this.follow());
    if (at !== null) this.flips.restore(this.memory.series.sides(at));
    this.timer ??= setInterval(() => this.memory.save(this.follow()), WRITE_EVERY_MS);
  };

  readonly stop = (): void => {
    clearInterval(this.timer);
    this.timer = undefined;
    if (this.date !== '') this.memory.save(this.date);
  };

  readonly prune = () => ({ removed: this.memory.prune(this.market.date()), hasMore: false });

  readonly inspect = () => {
    const figures = this.memory.series.figures();
    return {
      label: 'Auctions',
      description: 'History of the session’s auctions and of stock statuses.',
      summary: { ...figures, logged: this.memory.events.size(), flipped: this.flips.marked() },
      data: () => ({ date: this.date, ...this.memory.series.figures() }),
    };
  };

  private forget(): void {
    this.memory.clear();
    this.completed.clear();
  }

  private follow(): string {
    const today = this.market.date();
    if (this.date !== today) {
      if (this.date !== '') this.memory.save(this.date);
      this.forget();
      this.date = today;
    }
    return today;
  }

  private auctionOf(code: string): ReturnType<Auctions['auction']> {
    this.follow();
    if (this.known) return this.known.of(code);
    const opening = this.app.source.history?.opening;
    if (opening && !this.completed.has(code)) {
      this.memory.series.complete(code, opening(code));
      this.completed.add(code);
    }
    return this.memory.series.get(code);
  }

  private sides(): Iterable<readonly [string, KnownSide]> {
    const now = this.app.source.clock.now();
    if (!this.known) return this.memory.series.sides(now);
    return this.known.isAtHand() ? knownSides(this.market, this.known, now) : [];
  }

  private flipped(): ReturnType<Auctions['flips']> {
    this.follow();
    return [...this.sides()].flatMap(([code, { side, flippedAt: time }]) => {
      const isRunning = (this.market.get(code)?.buy_surplus ?? null) !== null;
      return side === null || time === null || !isRunning ? [] : [{ code, side, time }];
    });
  }

  private eventsOf(code: string): ReturnType<Auctions['events']> {
    this.follow();
    return this.known && this.market.get(code) ? this.known.of(code) : this.memory.events.get(code);
  }
}

declare module '#platform/app.ts' {
  interface App {
    auctions: Auctions;
  }
}
