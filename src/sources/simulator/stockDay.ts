import { newsDayOf, type Release, releasesOf } from './announcements.ts';
import type { NewsDay, Trend } from '../../domain/stock.ts';
import { priceAtStep, roundToStep } from '../../domain/priceStep.ts';
import { previousTradingDay } from '../../domain/session.ts';
import { fromSydney } from '../../domain/sydneyTime.ts';
import { DRAW } from './draws.ts';
import { type HaltSpan, haltSpan } from './halts.ts';
import { bonesUntil, type DayBones } from './history.ts';
import type { Listing } from './listings.ts';
import type { Schedule } from './phases.ts';
import { mix } from './random.ts';
import { type DayRecord, recordOf, volumeOf } from './record.ts';
import { trendOf } from './trend.ts';
import type { World } from './world.ts';

/** Everything about one listing's day that is decided before it begins. */
export type StockDay = {
  listing: Listing;
  record: DayRecord;
  halt: HaltSpan | null;
  /** Previous close in AUD. */
  close: number;
  marketCap: number | null;
  trend: Trend;
  /** Mean volume of the last 20 trading days, shares. */
  averageVolume: number;
  releases: Release[];
  previousNews: { date: string; day: NewsDay } | null;
  /** Seed of the day's path and trades. */
  pathSeed: number;
};

const AVERAGE_DAYS = 20;
const TREND_DAYS = 80;

const haltOf = (bones: DayBones, schedule: Schedule): HaltSpan | null =>
  haltSpan(bones.halt, bones.resuming, bones.seed, schedule.end);

const previousNews = (listing: Listing, bones: DayBones | undefined, date: string, end: number) => {
  if (!bones || bones.date !== date) return null;
  const halt = haltSpan(bones.halt, bones.resuming, bones.seed, end);
  const day = newsDayOf(releasesOf(listing, date, fromSydney(date, 0, 0), bones.seed, halt));
  return day ? { date, day } : null;
};

/**
 * Plans one listing's day from the seed and the date alone.
 * @param previousEnd second at which continuous trading ended on the previous trading day
 */
export const planStock = (
  world: World,
  listing: Listing,
  schedule: Schedule,
  previousEnd: number,
): StockDay => {
  const bones = bonesUntil(world, listing, schedule.date, TREND_DAYS);
  const today = bones.at(-1);
  if (!today || today.date !== schedule.date)
    throw new RangeError(`The market does not trade on ${schedule.date}.`);
  const before = bones.slice(-TREND_DAYS, -1);
  const record = recordOf(listing, today);
  const halt = haltOf(today, schedule);
  const recent = before.slice(-AVERAGE_DAYS).map((one) => volumeOf(listing, one));
  const close = priceAtStep(record.previousStep);
  return {
    listing,
    record,
    halt,
    close,
    marketCap: listing.shares === null ? null : Math.round(listing.shares * close),
    trend: trendOf(
      before.map((one) => ({ date: one.date, close: roundToStep(listing.basePrice * Math.exp(one.close)) })),
    ),
    averageVolume: recent.length === 0 ? 0 : recent.reduce((sum, one) => sum + one, 0) / recent.length,
    releases: releasesOf(listing, schedule.date, schedule.midnight, today.seed, halt),
    previousNews: previousNews(listing, before.at(-1), previousTradingDay(schedule.date), previousEnd),
    pathSeed: mix(today.seed, DRAW.path),
  };
};
