import type { Clock } from '#lib/clock.ts';
import type { MarketObserver } from '../observed.ts';
import type { Market } from '../types.ts';
import {
  addAuctionPoint,
  type AuctionColumns,
  auctionIndexAt,
  type AuctionPoint,
  auctionPointAt,
  emptyAuction,
  nextSurplusSide,
  type SurplusFlip,
  surplusFlips,
  type SurplusSide,
} from './rules/auction.ts';

/** How long a flip counts, ms of the market's clock. */
const FLIP_MS = 60_000;

/** What an earlier run knew of a stock's surplus. Times are epoch ms on the market's clock. */
export type KnownSide = {
  side: SurplusSide;
  /** When it was seen so last. */
  seenAt: number;
  /** When it came to this side; null when no flip led to it. */
  flippedAt: number | null;
};

type Watched = KnownSide & { isRestored: boolean };

/** What is known of the side before an update; an old word of an earlier run says nothing of now. */
function sideBefore(entry: Watched | undefined, now: number): SurplusSide {
  if (!entry) return null;
  const isOld = entry.isRestored && (now < entry.seenAt || now - entry.seenAt > FLIP_MS);
  return isOld ? null : entry.side;
}

/**
 * Marks a stock whose auction's surplus changed sides, for 60 s of the market's clock. The first surplus that is seen is no
 * flip, and neither is one against what an earlier run saw more than 60 s ago: when it changed, nobody knows. A clock that
 * steps back leaves a mark at most another 60 s; after a jump the marks are those of `restoreMarks`, or none.
 */
export class SurplusFlips implements MarketObserver {
  readonly name = 'surplus flips';
  private readonly watched = new Map<string, Watched>();
  /** Those of `watched` whose stock carries the mark. */
  private readonly shown = new Map<string, Watched>();
  private date = '';

  /** @param clock the market's */
  constructor(
    private readonly market: Market,
    private readonly clock: Clock,
  ) {}

  /** Gives back what an earlier run of the same session knew; to be called before the first update. */
  restore(known: Iterable<readonly [string, KnownSide]>): void {
    this.followSession();
    for (const [code, entry] of known) this.watched.set(code, { ...entry, isRestored: true });
  }

  /** Puts the marks of a moment to which the market has jumped. */
  restoreMarks(known: Iterable<readonly [string, KnownSide]>): void {
    const now = this.clock.now();
    for (const [code, entry] of known) {
      const { side, flippedAt } = entry;
      const watching = { ...entry, isRestored: false };
      this.watched.set(code, watching);
      if (side !== null && flippedAt !== null && now - flippedAt < FLIP_MS) this.mark(code, watching, side);
    }
  }

  applied(codes: readonly string[]): void {
    this.followSession();
    const now = this.clock.now();
    for (const code of codes) this.look(code, now);
  }

  removed(codes: readonly string[]): void {
    for (const code of codes) {
      this.watched.delete(code);
      this.shown.delete(code);
    }
  }

  beforeFlush(): void {
    this.followSession();
    const now = this.clock.now();
    for (const [code, entry] of this.shown) {
      entry.flippedAt = Math.min(entry.flippedAt ?? now, now);
      if (now - entry.flippedAt >= FLIP_MS) this.unmark(code);
    }
  }

  jumped(): void {
    this.watched.clear();
    for (const code of [...this.shown.keys()]) this.unmark(code);
    this.date = this.market.date();
  }

  /** Stocks that are marked at this moment. */
  marked(): number {
    return this.shown.size;
  }

  /** A new session begins with nothing known. */
  private followSession(): void {
    const today = this.market.date();
    if (today === this.date) return;
    if (this.date !== '') this.watched.clear();
    this.shown.clear();
    this.date = today;
  }

  private mark(code: string, entry: Watched, flip: SurplusFlip): void {
    this.shown.set(code, entry);
    this.market.setSurplusFlip(code, flip);
  }

  private unmark(code: string): void {
    if (this.shown.delete(code)) this.market.setSurplusFlip(code, null);
  }

  private look(code: string, now: number): void {
    const surplus = this.market.get(code)?.buy_surplus ?? null;
    const entry = this.watched.get(code);
    if (surplus === null) {
      if (entry && this.watched.delete(code)) this.unmark(code);
      return;
    }
    const before = sideBefore(entry, now);
    const side = nextSurplusSide(before, surplus);
    const hasFlipped = before !== null && side !== null && side !== before;
    const flippedAt = hasFlipped ? now : before === null ? null : (entry?.flippedAt ?? null);
    if (entry && !entry.isRestored && entry.side === side && !hasFlipped) return;
    const next: Watched = { side, seenAt: now, flippedAt, isRestored: false };
    this.watched.set(code, next);
    if (flippedAt !== null && side !== null && now >= flippedAt && now - flippedAt < FLIP_MS) {
      this.mark(code, next, side);
    } else this.unmark(code);
  }
}

/** The auction of one stock today, and up to when it was saved, epoch ms. */
type Series = { columns: AuctionColumns; thinned: boolean; savedUntil: number };

const newSeries = (): Series => ({
  columns: emptyAuction(),
  thinned: false,
  savedUntil: Number.NEGATIVE_INFINITY,
});

/** The changes after a moment, epoch ms; all when none is given. */
export function pointsIn(
  columns: Readonly<AuctionColumns>,
  after = Number.NEGATIVE_INFINITY,
): AuctionPoint[] {
  const points: AuctionPoint[] = [];
  for (let index = auctionIndexAt(columns.time, after) + 1; ; index += 1) {
    const point = auctionPointAt(columns, index);
    if (!point) return points;
    points.push(point);
  }
}

/** @returns whether the series changed */
function addTo(series: Series, point: AuctionPoint): boolean {
  const { isNew, isThinned } = addAuctionPoint(series.columns, point);
  if (!isNew) return false;
  series.thinned ||= isThinned;
  // After a clock that was set back, what is saved lies ahead.
  series.savedUntil = Math.min(series.savedUntil, series.columns.time.at(-1) ?? point.time);
  return true;
}

/** The sign of the last surplus that was not 0. */
function sideAtEnd(surplus: readonly (number | null)[]): KnownSide['side'] {
  const value = surplus.findLast((one) => one !== 0) ?? null;
  return value === null ? null : value > 0 ? 1 : -1;
}

/** The opening auctions of a session as they form, by code. */
export class AuctionSeries {
  private readonly all = new Map<string, Series>();
  private readonly touched = new Set<string>();

  /** Adds a change; see `addAuctionPoint`. */
  add(code: string, point: AuctionPoint): void {
    const series = this.all.get(code) ?? newSeries();
    if (addTo(series, point)) this.put(code, series);
  }

  /** Puts what happened before the first change that is known in front of it. */
  complete(code: string, points: readonly AuctionPoint[]): void {
    const known = this.all.get(code);
    const since = known?.columns.time[0] ?? Number.POSITIVE_INFINITY;
    const earlier = points.filter(({ time }) => time < since);
    if (earlier.length === 0) return;
    const whole: Series = { ...newSeries(), thinned: known?.thinned ?? false };
    for (const point of [...earlier, ...(known ? pointsIn(known.columns) : [])]) addTo(whole, point);
    this.put(code, whole);
  }

  /** The auction of a stock; undefined when none is known. Not to be changed. */
  get(code: string): Readonly<Pick<Series, 'columns' | 'thinned'>> | undefined {
    return this.all.get(code);
  }

  /** The changes that came since `saved` was called. */
  unsaved(): Map<string, AuctionPoint[]> {
    const found = new Map<string, AuctionPoint[]>();
    for (const code of this.touched) {
      const series = this.all.get(code);
      // One at the very moment of the last save may have taken the place of the one that was saved.
      if (series) found.set(code, pointsIn(series.columns, series.savedUntil - 1));
    }
    return found;
  }

  /** Takes what `unsaved` gave as saved. */
  saved(): void {
    for (const code of this.touched) {
      const series = this.all.get(code);
      if (series) series.savedUntil = series.columns.time.at(-1) ?? series.savedUntil;
    }
    this.touched.clear();
  }

  /** The side on which each auction stands, for who marks flips. @param seenAt when it was seen so last, epoch ms */
  *sides(seenAt: number): Generator<readonly [string, KnownSide]> {
    for (const [code, { columns }] of this.all) {
      const { surplus, time } = columns;
      const last = surplusFlips(surplus).at(-1);
      const isKnown = (surplus.at(-1) ?? null) !== null;
      const side = isKnown ? sideAtEnd(surplus) : null;
      const flippedAt = last?.flip === side ? (time[last?.index ?? -1] ?? null) : null;
      yield [code, { side, seenAt, flippedAt }];
    }
  }

  clear(): void {
    this.all.clear();
    this.touched.clear();
  }

  figures(): { stocks: number; points: number } {
    const points = [...this.all.values()].reduce((sum, { columns }) => sum + columns.time.length, 0);
    return { stocks: this.all.size, points };
  }

  private put(code: string, series: Series): void {
    this.all.set(code, series);
    this.touched.add(code);
  }
}
