import { auctionPointOf, type DayEventsAnswer } from './rules/auction.ts';
import { phaseAt, type PhaseSpan } from '../rules/sessionClock.ts';
import type { StockPatch } from '../rules/stream.ts';
import type { Core, Part } from '../../part.ts';
import type { KnownSession } from '../../sources/quotes/history.ts';
import type { ObservedMarket } from '../observed.ts';
import type { ChangeSet } from '../types.ts';
import { type AuctionTimes, auctionTimes } from './dayEvents.ts';
import { createDayLog, type DayLog } from './dayLog.ts';
import { savedAuctions } from './savedAuctions.ts';
import { type AuctionSeries, createAuctionSeries, pointsIn } from './series.ts';
import { createSessionReading } from './sessionReading.ts';
import { createSurplusFlips, type KnownSide } from './surplusFlips.ts';

/** How long what is new may wait for the disk: SD cards wear out. */
const WRITE_EVERY_MS = 60_000;

export type AuctionMemoryCore = Pick<Core, 'db' | 'log'> & {
  source: Pick<Core['source'], 'name' | 'clock' | 'delayMinutes' | 'history'>;
};
export type AuctionMemoryNeeds = {
  market: Pick<ObservedMarket, 'all' | 'get' | 'date' | 'statedQuoteTime' | 'setSurplusFlip' | 'observe'>;
};

/** What others may ask of the session's auctions. */
export type Auctions = {
  /** The Sydney date of the session, YYYY-MM-DD. */
  date(): string;
  /**
   * Resolves once `auction` and `events` answer at once, which a replay must read for at first; others have their turn
   * meanwhile. @throws a RecordingError where it can't be read
   */
  ready(): Promise<void>;
  /** The opening auction of a stock as it formed; undefined when none is known. */
  auction(code: string): ReturnType<AuctionSeries['get']>;
  /** How its status went, and at what its auctions traded; undefined when nothing is known. */
  events(code: string): Pick<DayEventsAnswer, 'statuses' | 'auctions'> | undefined;
};

const AUCTION_MEMBERS = ['match_price', 'match_vol', 'buy_surplus', 'status'] as const;
const EVENT_MEMBERS = ['status', 'open', 'preOpen', 'volume'] as const;

function hasAny(patch: StockPatch, members: readonly (keyof StockPatch)[]): boolean {
  for (const member of members) if (patch[member] !== undefined) return true;
  return false;
}

/** Takes the changes of a tick into the series and the log. */
function createTaking(core: AuctionMemoryCore, market: AuctionMemoryNeeds['market'], memory: Memory) {
  const { clock } = core.source;
  let times: { date: string; of: AuctionTimes } | undefined;
  let span: PhaseSpan | undefined;

  return (changes: ChangeSet, date: string): void => {
    const now = clock.now();
    if (times?.date !== date) times = { date, of: auctionTimes(date) };
    if (!span || now < span.since || now >= span.until) span = phaseAt(now);
    const { phase } = span;
    const isDelayed = core.source.delayMinutes() > 0;
    for (const code in changes.upsert) {
      const patch = changes.upsert[code];
      const stock = patch && market.get(code);
      if (!stock) continue;
      const point = hasAny(patch, AUCTION_MEMBERS) ? auctionPointOf(stock, now, phase) : null;
      if (point) memory.series.add(code, point);
      if (!hasAny(patch, EVENT_MEMBERS)) continue;
      const quoteTime = market.statedQuoteTime(code) ?? (isDelayed ? null : now);
      memory.log.take(stock, now, quoteTime, times.of);
    }
  };
}

type Memory = { series: AuctionSeries; log: DayLog };

/** Saves what is new, and gives back what an earlier run of the same session has saved. */
function createKeeping(core: AuctionMemoryCore, { series, log: dayLog }: Memory) {
  const log = core.log.child('auctions');
  const { name, clock } = core.source;
  const saved = savedAuctions(core.db, name, log);
  return {
    /** @returns when the last segment was written, epoch ms on the market's clock; null when there is none */
    restore(date: string): number | null {
      const now = clock.now();
      let at: number | null = null;
      for (const segment of saved.load(date)) {
        // A market that begins its day anew has not come so far yet.
        if (segment.at > now) continue;
        at = segment.at;
        for (const [code, points] of segment.points) for (const point of points) series.add(code, point);
        for (const [code, events] of segment.events) dayLog.restore(code, events);
      }
      series.saved();
      return at;
    },
    save(date: string): void {
      const [points, events] = [series.unsaved(), dayLog.unsaved()];
      if (points.size === 0 && events.size === 0) return;
      try {
        saved.append(date, { at: clock.now(), points, events });
        series.saved();
        dayLog.saved();
      } catch (error) {
        log.error('What is new of the auctions could not be saved; trying again', { error });
      }
    },
    prune: (date: string) => ({ removed: saved.prune(date), hasMore: false }),
  };
}

/**
 * The session's auctions as they formed, the stocks' statuses, and the marks of surpluses that changed sides. All of it is of
 * one session, by the market's clock, and is there again after a restart: it is written at most once a minute.
 */
export function createAuctionMemory(core: AuctionMemoryCore, { market }: AuctionMemoryNeeds) {
  const memory: Memory = { series: createAuctionSeries(), log: createDayLog() };
  const { series, log } = memory;
  const flips = createSurplusFlips({ market, clock: core.source.clock });
  const keeping = createKeeping(core, memory);
  const take = createTaking(core, market, memory);
  market.observe(flips);
  /** Those that the source told the beginning of. */
  const completed = new Set<string>();
  let date = '';
  let timer: ReturnType<typeof setInterval> | undefined;

  /** On which side each auction of the market stands at this moment, by what the source knows. */
  function knownSides(session: KnownSession): Iterable<readonly [string, KnownSide]> {
    const now = core.source.clock.now();
    const known = createAuctionSeries();
    for (const [code, stock] of market.all()) {
      if (stock.status === 'Pre Open') known.complete(code, pointsIn(session.of(code).columns));
    }
    return known.sides(now);
  }

  /** Brings the memory to the market's session. @returns its date */
  function follow(): string {
    const today = market.date();
    if (date !== today) {
      if (date !== '') keeping.save(date);
      series.clear();
      log.clear();
      completed.clear();
      date = today;
    }
    return today;
  }

  /** Where the source knows the whole session, nothing is remembered here, and a jump of its clock changes nothing. */
  const known = core.source.history?.session;

  const service: Auctions = {
    date: follow,
    ready: createSessionReading(known),
    auction(code) {
      follow();
      if (known) return known.of(code);
      const opening = core.source.history?.opening;
      if (opening && !completed.has(code)) {
        series.complete(code, opening(code));
        completed.add(code);
      }
      return series.get(code);
    },
    events(code) {
      follow();
      return known && market.get(code) ? known.of(code) : log.get(code);
    },
  };

  return {
    name: 'auctions',
    service,
    onChanges(changes: ChangeSet | null): void {
      const today = follow();
      if (changes && !known) take(changes, today);
    },
    onJump() {
      series.clear();
      log.clear();
      completed.clear();
      if (known?.isAtHand()) flips.restoreMarks(knownSides(known));
    },
    start() {
      if (known) return;
      const at = keeping.restore(follow());
      if (at !== null) flips.restore(series.sides(at));
      timer ??= setInterval(() => keeping.save(follow()), WRITE_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
      if (date !== '') keeping.save(date);
    },
    prune: () => keeping.prune(market.date()),
    inspect: () => ({
      label: 'Auctions',
      description:
        'The opening auctions of the session as they formed, and the stocks’ statuses through the day.',
      summary: { ...series.figures(), logged: log.size(), flipped: flips.marked() },
      data: () => ({ date, ...series.figures() }),
    }),
  } satisfies Part;
}
