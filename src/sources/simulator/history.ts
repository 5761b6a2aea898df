import { DRAW, daySeed, listingSeed, sensitiveSecond } from './draws.ts';
import { type HaltKind, haltKind } from './halts.ts';
import type { Listing } from './listings.ts';
import { gauss, mix, unit } from './random.ts';
import type { TradingYear, World } from './world.ts';

/** The bones of one listing's day, in logarithms of the price over its base price. */
export type DayBones = {
  date: string;
  seed: number;
  previous: number;
  open: number;
  close: number;
  /** How much of the session's move came at once with news, and when (second of the day; the end of a halt
   * comes before it); 0 and null without. */
  jump: number;
  jumpSecond: number | null;
  /** Nobody trades. */
  quiet: boolean;
  /** News moved it before the open or during the session. */
  news: boolean;
  halt: HaltKind;
  /** It was halted the evening before. */
  resuming: boolean;
};

const OPEN_SECOND = 36_000;
const LAST_JUMP_SECOND = 15.6 * 3600;
const MIDDAY = 12 * 3600;
const EVENING_SECOND = 15.9 * 3600;

/** Where the price stands at the turn of a year: around the base price for ever, so that no price runs away. */
const anchor = (seed: number, listing: Listing, year: number): number =>
  Math.min(0.5, 11 * listing.volatility) * gauss(mix(seed, 0x7ea4), year);

type Step = Omit<DayBones, 'date' | 'previous' | 'open' | 'close'> & { overnight: number; session: number };

const still = (seed: number, halt: HaltKind, resuming: boolean): Step => ({
  seed,
  overnight: 0,
  session: 0,
  jump: 0,
  jumpSecond: null,
  quiet: true,
  news: false,
  halt,
  resuming,
});

/** Good and bad news, somewhat more good; bigger for what swings more. */
const eventSize = (listing: Listing, seed: number): number =>
  Math.max(-0.6, listing.volatility * (2.3 * gauss(seed, DRAW.event) + 0.7));

type Yesterday = { halted: boolean; eveningNews: boolean };

const stepOf = (
  listing: Listing,
  year: TradingYear,
  index: number,
  seed: number,
  yesterday: Yesterday,
): Step => {
  const lastOfYear = index === year.dates.length - 1;
  const halt = yesterday.halted || lastOfYear ? 'none' : haltKind(listing, seed);
  const resuming = yesterday.halted;
  if (listing.suspended || halt === 'day') return still(seed, halt, resuming);
  const released = sensitiveSecond(listing, seed);
  const early = resuming || yesterday.eveningNews || (released !== null && released < OPEN_SECOND);
  const during =
    halt === 'pause' || (released !== null && released >= OPEN_SECOND && released < LAST_JUMP_SECOND);
  const rare = listing.tradesPerMinute < 1.4 ? 0.22 : 0;
  if (!early && !during && halt === 'none' && unit(seed, DRAW.quiet) < rare)
    return still(seed, halt, resuming);
  const { volatility, beta } = listing;
  const size = early || during ? eventSize(listing, seed) : 0;
  const runner = unit(seed, DRAW.runner) < 0.02 ? 2.4 * volatility * gauss(seed, DRAW.runnerSize) : 0;
  const jump = during ? size : 0;
  return {
    seed,
    overnight:
      0.4 * volatility * gauss(seed, DRAW.overnight) +
      beta * (year.overnight[index] ?? 0) +
      (early ? size : 0),
    session: 0.8 * volatility * gauss(seed, DRAW.session) + beta * (year.session[index] ?? 0) + runner + jump,
    jump,
    jumpSecond: during ? (released ?? MIDDAY) : null,
    quiet: false,
    news: early || during,
    halt,
    resuming,
  };
};

/**
 * One listing's calendar year, day by day. The price walks from the anchor of this year to that of the next, so a
 * year needs nothing of the years before it and every date has one price for ever.
 */
export const walkYear = (world: World, listing: Listing, year: TradingYear): DayBones[] => {
  const seed = listingSeed(world, listing);
  const steps: Step[] = [];
  let yesterday: Yesterday = { halted: false, eveningNews: false };
  let walked = 0;
  let moving = 0;
  for (let index = 0; index < year.days.length; index += 1) {
    const today = daySeed(seed, year.days[index] ?? 0);
    const step = stepOf(listing, year, index, today, yesterday);
    const released = sensitiveSecond(listing, today);
    yesterday = {
      halted: step.halt === 'day' || step.halt === 'evening',
      eveningNews: released !== null && released >= EVENING_SECOND,
    };
    steps.push(step);
    walked += step.overnight + step.session;
    if (!step.quiet) moving += 1;
  }
  const start = anchor(seed, listing, year.year);
  const drift = moving > 0 ? (anchor(seed, listing, year.year + 1) - start - walked) / moving : 0;
  let level = start;
  return steps.map((step, index) => {
    const { overnight, session, ...rest } = step;
    const previous = level;
    const open = previous + overnight;
    level = open + session + (step.quiet ? 0 : drift);
    return { date: year.dates[index] ?? '', previous, open, close: level, ...rest };
  });
};

/**
 * The last days of a listing up to and including a trading day.
 * @param count how many are needed; more may come back, oldest first
 */
export const bonesUntil = (world: World, listing: Listing, date: string, count: number): DayBones[] => {
  const wanted = Number(date.slice(0, 4));
  let days: DayBones[] = [];
  for (let year = wanted; days.length < count && year > wanted - 30; year -= 1) {
    const walked = walkYear(world, listing, world.year(year));
    days = [...(year === wanted ? walked.slice(0, indexAfter(world, date)) : walked), ...days];
  }
  return days;
};

const indexAfter = (world: World, date: string): number => {
  const year = world.year(Number(date.slice(0, 4)));
  const index = year.indexOf.get(date);
  if (index !== undefined) return index + 1;
  const next = year.dates.findIndex((day) => day > date);
  return next < 0 ? year.dates.length : next;
};
