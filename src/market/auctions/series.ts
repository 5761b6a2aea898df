import {
  addAuctionPoint,
  type AuctionColumns,
  auctionIndexAt,
  type AuctionPoint,
  auctionPointAt,
  emptyAuction,
  surplusFlips,
} from './rules/auction.ts';
import type { KnownSide } from './surplusFlips.ts';

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
