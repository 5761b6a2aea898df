import { lastAtMost } from '#lib/search.ts';
import type { Clock } from '#lib/clock.ts';
import type { MarketObserver } from '../observed.ts';
import type { Market } from '../types.ts';
import {
  addAuctionPoint,
  type AuctionColumns,
  type AuctionPoint,
  auctionPointAt,
  emptyAuction,
  nextSurplusSide,
  surplusFlips,
  type SurplusSide,
} from './rules/auction.ts';
import { type SurplusFlip } from '../rules/stock.ts';

/** How long a flip is marked, ms of the market's clock. */
const FLIP_MS = 60_000;

/** A stock's side in an earlier run. Times are epoch ms on the market's clock. */
export type KnownSide = {
  side: SurplusSide;
  seenAt: number;
  flippedAt: number | null;
};

type Watched = KnownSide & { isRestored: boolean };

/** The side before an update; unknown if the last value is too old. */
function sideBefore(entry: Watched | undefined, now: number): SurplusSide {
  if (!entry) return null;
  const isOld = entry.isRestored && (now < entry.seenAt || now - entry.seenAt > FLIP_MS);
  return isOld ? null : entry.side;
}

/**
 * Marks a stock whose surplus changed sides for 60 s of the market's clock. The first surplus does not count,
 * nor a change against a value older than 60 s. After a step back a mark lasts at most 60 s more; after a
 * jump the marks are those of `restoreMarks`.
 */
export class SurplusFlips implements MarketObserver {
  readonly name = 'surplus flips';
  private readonly watched = new Map<string, Watched>();
  private readonly shown = new Map<string, Watched>();
  private date = '';

  constructor(
    private readonly market: Market,
    private readonly clock: Clock,
  ) {}

  restore(known: Iterable<readonly [string, KnownSide]>): void {
    this.followSession();
    for (const [code, entry] of known) this.watched.set(code, { ...entry, isRestored: true });
  }

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
    for (const code of codes) this.tick(code, now);
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

  marked(): number {
    return this.shown.size;
  }

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

  private tick(code: string, now: number): void {
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

type Series = { columns: AuctionColumns; thinned: boolean; savedUntil: number };

const newSeries = (): Series => ({
  columns: emptyAuction(),
  thinned: false,
  savedUntil: Number.NEGATIVE_INFINITY,
});

export function pointsIn(
  columns: Readonly<AuctionColumns>,
  after = Number.NEGATIVE_INFINITY,
): AuctionPoint[] {
  const points: AuctionPoint[] = [];
  for (let index = lastAtMost(columns.time, after) + 1; ; index += 1) {
    const point = auctionPointAt(columns, index);
    if (!point) return points;
    points.push(point);
  }
}

function addTo(series: Series, point: AuctionPoint): boolean {
  const { isNew, isThinned } = addAuctionPoint(series.columns, point);
  if (!isNew) return false;
  series.thinned ||= isThinned;
  // After the clock steps back, saved changes may be in the future.
  series.savedUntil = Math.min(series.savedUntil, series.columns.time.at(-1) ?? point.time);
  return true;
}

/** The sign of the last surplus that was not 0. */
function sideAtEnd(surplus: readonly (number | null)[]): KnownSide['side'] {
  const value = surplus.findLast((one) => one !== 0) ?? null;
  return value === null ? null : value > 0 ? 1 : -1;
}

export class AuctionSeries {
  private readonly all = new Map<string, Series>();
  private readonly touched = new Set<string>();

  add(code: string, point: AuctionPoint): void {
    const series = this.all.get(code) ?? newSeries();
    if (addTo(series, point)) this.put(code, series);
  }

  complete(code: string, points: readonly AuctionPoint[]): void {
    const known = this.all.get(code);
    const since = known?.columns.time[0] ?? Number.POSITIVE_INFINITY;
    const earlier = points.filter(({ time }) => time < since);
    if (earlier.length === 0) return;
    const whole: Series = { ...newSeries(), thinned: known?.thinned ?? false };
    for (const point of [...earlier, ...(known ? pointsIn(known.columns) : [])]) addTo(whole, point);
    this.put(code, whole);
  }

  get(code: string): Readonly<Pick<Series, 'columns' | 'thinned'>> | undefined {
    return this.all.get(code);
  }

  unsaved(): Map<string, AuctionPoint[]> {
    const found = new Map<string, AuctionPoint[]>();
    for (const code of this.touched) {
      const series = this.all.get(code);
      // A change at the moment of the last save may have replaced the saved one.
      if (series) found.set(code, pointsIn(series.columns, series.savedUntil - 1));
    }
    return found;
  }

  saved(): void {
    for (const code of this.touched) {
      const series = this.all.get(code);
      if (series) series.savedUntil = series.columns.time.at(-1) ?? series.savedUntil;
    }
    this.touched.clear();
  }

  /** The side of each auction, to mark flips. @param seenAt epoch ms */
  *sides(seenAt: number): Generator<readonly [string, KnownSide]> {
    for (const [code, { columns }] of this.all) {
      const { surplus, time } = columns;
      const last = surplusFlips(columns).at(-1);
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
