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

/** The opening auctions of a session as they form, by code. */
export type AuctionSeries = {
  /** Adds a change; see `addAuctionPoint`. */
  add(code: string, point: AuctionPoint): void;
  /** Puts what happened before the first change that is known in front of it. */
  complete(code: string, points: readonly AuctionPoint[]): void;
  /** The auction of a stock; undefined when none is known. Not to be changed. */
  get(code: string): Readonly<Pick<Series, 'columns' | 'thinned'>> | undefined;
  /** The changes that came since `saved` was called. */
  unsaved(): Map<string, AuctionPoint[]>;
  /** Takes what `unsaved` gave as saved. */
  saved(): void;
  /** The side on which each auction stands, for who marks flips. @param seenAt when it was seen so last, epoch ms */
  sides(seenAt: number): Iterable<readonly [string, KnownSide]>;
  clear(): void;
  figures(): { stocks: number; points: number };
};

const newSeries = (): Series => ({
  columns: emptyAuction(),
  thinned: false,
  savedUntil: Number.NEGATIVE_INFINITY,
});

/** The changes after a moment, epoch ms. */
const pointsOf = (series: Series | undefined, after?: number): AuctionPoint[] =>
  series ? pointsIn(series.columns, after) : [];

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

export function createAuctionSeries(): AuctionSeries {
  const all = new Map<string, Series>();
  const touched = new Set<string>();

  return {
    add(code, point) {
      const series = all.get(code) ?? newSeries();
      if (!addTo(series, point)) return;
      all.set(code, series);
      touched.add(code);
    },
    complete(code, points) {
      const known = all.get(code);
      const since = known?.columns.time[0] ?? Number.POSITIVE_INFINITY;
      const earlier = points.filter(({ time }) => time < since);
      if (earlier.length === 0) return;
      const whole: Series = { ...newSeries(), thinned: known?.thinned ?? false };
      for (const point of [...earlier, ...pointsOf(known)]) addTo(whole, point);
      all.set(code, whole);
      touched.add(code);
    },
    get: (code) => all.get(code),
    unsaved() {
      const found = new Map<string, AuctionPoint[]>();
      for (const code of touched) {
        const series = all.get(code);
        // One at the very moment of the last save may have taken the place of the one that was saved.
        if (series) found.set(code, pointsOf(series, series.savedUntil - 1));
      }
      return found;
    },
    saved() {
      for (const code of touched) {
        const series = all.get(code);
        if (series) series.savedUntil = series.columns.time.at(-1) ?? series.savedUntil;
      }
      touched.clear();
    },
    *sides(seenAt) {
      for (const [code, { columns }] of all) {
        const { surplus, time } = columns;
        const last = surplusFlips(surplus).at(-1);
        const isKnown = (surplus.at(-1) ?? null) !== null;
        const side = isKnown ? sideAtEnd(surplus) : null;
        const flippedAt = last?.flip === side ? (time[last?.index ?? -1] ?? null) : null;
        yield [code, { side, seenAt, flippedAt }];
      }
    },
    clear() {
      all.clear();
      touched.clear();
    },
    figures: () => ({
      stocks: all.size,
      points: [...all.values()].reduce((sum, { columns }) => sum + columns.time.length, 0),
    }),
  };
}

/** The sign of the last surplus that was not 0. */
function sideAtEnd(surplus: readonly (number | null)[]): KnownSide['side'] {
  const value = surplus.findLast((one) => one !== 0) ?? null;
  return value === null ? null : value > 0 ? 1 : -1;
}
