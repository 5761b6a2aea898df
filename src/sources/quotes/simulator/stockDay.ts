import type { Trend } from '#market/rules/stock.ts';
import { priceAtStep, roundToStep } from '#market/rules/priceStep.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import type { Release } from '#sources/announcements/source.ts';
import { releasesOf } from './announcements.ts';
import { DRAW } from './draws.ts';
import { type HaltSpan, haltSpan } from './halts.ts';
import { type DayOutline, outlineOn, outlinesUntil, type Past } from './history.ts';
import type { Listing } from './listings.ts';
import type { Schedule } from './phases.ts';
import { mix } from './random.ts';
import { type DayRecord, recordOf, volumeOf } from './record.ts';
import type { DailyBar } from '#market/rules/bar.ts';
import { dayNumber } from './world.ts';

/** How many of the last closes in a row rose, or fell. */
function runs(closes: readonly number[]): { up: number; down: number } {
  const steps = closes.slice(1).map((close, index) => Math.sign(close - (closes[index] ?? close)));
  const direction = steps.at(-1) ?? 0;
  if (direction === 0) return { up: 0, down: 0 };
  let length = 0;
  for (let index = steps.length - 1; index >= 0 && steps[index] === direction; index -= 1) length += 1;
  return direction > 0 ? { up: length, down: 0 } : { up: 0, down: length };
}

/** Day 0 (1 January 1970) was a Thursday; weeks begin on Monday. */
const weekOf = (date: string): number => Math.floor((dayNumber(date) + 3) / 7);

/**
 * How many days and weeks in a row the close rose or fell, counted back from the newest. The running week counts with
 * its latest close.
 * @param closes daily bars, oldest first
 */
export function trendOf(closes: readonly Pick<DailyBar, 'date' | 'close'>[]): Trend {
  const weekly = new Map<number, number>();
  for (const { date, close } of closes) weekly.set(weekOf(date), close);
  const days = runs(closes.map((bar) => bar.close));
  const weeks = runs([...weekly.values()]);
  return { daysUp: days.up, daysDown: days.down, weeksUp: weeks.up, weeksDown: weeks.down };
}

/** What the trades of one listing's day follow from. */
export type DayPath = {
  listing: Listing;
  record: DayRecord;
  halt: HaltSpan | null;
  /** Seed of the day's price path and trades. */
  pathSeed: number;
};

/** The plan of one listing's day. */
export type StockDay = DayPath & {
  /** Previous close in AUD. */
  close: number;
  marketCap: number | null;
  trend: Trend;
  /** Mean volume of the last 20 trading days, shares. */
  averageVolume: number;
  /** What it announces today and has announced on the trading day before, in the order of time. */
  releases: readonly Release[];
};

const AVERAGE_DAYS = 20;
const TREND_DAYS = 80;

const haltOf = (outline: DayOutline, schedule: Schedule): HaltSpan | null =>
  haltSpan(outline.halt, outline.resuming, outline.seed, schedule.end);

function previousReleases(listing: Listing, outline: DayOutline | undefined, date: string, end: number) {
  if (!outline || outline.date !== date) return [];
  const halt = haltSpan(outline.halt, outline.resuming, outline.seed, end);
  return releasesOf(listing, date, fromSydney(date, 0, 0), outline.seed, halt);
}

const pathOf = (listing: Listing, outline: DayOutline, schedule: Schedule): DayPath => ({
  listing,
  record: recordOf(listing, outline),
  halt: haltOf(outline, schedule),
  pathSeed: mix(outline.seed, DRAW.path),
});

const noTrading = (date: string): RangeError => new RangeError(`The market does not trade on ${date}.`);

/** The path of any trading day, without what a running day tells besides: it is the same as in the day's plan. */
export function planPath(past: Past, listing: Listing, schedule: Schedule): DayPath {
  const outline = outlineOn(past, listing, schedule.date, TREND_DAYS);
  if (!outline) throw noTrading(schedule.date);
  return pathOf(listing, outline, schedule);
}

/**
 * Plans one listing's day. The plan depends on the world's seed, the listing and the date alone.
 * @param previousEnd second at which continuous trading ended on the previous trading day
 */
export function planStock(past: Past, listing: Listing, schedule: Schedule, previousEnd: number): StockDay {
  const outline = outlinesUntil(past, listing, schedule.date, TREND_DAYS);
  const today = outline.at(-1);
  if (!today || today.date !== schedule.date) throw noTrading(schedule.date);
  const before = outline.slice(-TREND_DAYS, -1);
  const path = pathOf(listing, today, schedule);
  const { record, halt } = path;
  const recent = before.slice(-AVERAGE_DAYS).map((one) => volumeOf(listing, one));
  const close = priceAtStep(record.previousStep);
  return {
    ...path,
    close,
    marketCap: listing.shares === null ? null : Math.round(listing.shares * close),
    trend: trendOf(
      before.map((one) => ({ date: one.date, close: roundToStep(listing.basePrice * Math.exp(one.close)) })),
    ),
    averageVolume: recent.length === 0 ? 0 : recent.reduce((sum, one) => sum + one, 0) / recent.length,
    releases: [
      ...previousReleases(listing, before.at(-1), previousTradingDay(schedule.date), previousEnd),
      ...releasesOf(listing, schedule.date, schedule.midnight, today.seed, halt),
    ],
  };
}
