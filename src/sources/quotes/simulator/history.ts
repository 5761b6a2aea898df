import { DRAW, daySeed, listingSeed, sensitiveSecond } from './draws.ts';
import { type HaltKind, haltKind } from './halts.ts';
import type { Listing } from './listings.ts';
import { gauss, mix, unit } from './random.ts';
import type { TradingYear, World } from './world.ts';

/** The outline of one listing's day. Prices are logarithms of the price over the listing's base price. */
export type DayOutline = {
  date: string;
  seed: number;
  previous: number;
  open: number;
  close: number;
  /**
   * The part of the session's move that came at once with news, and when (second of the day; when the news ends a halt,
   * the halt's end counts instead); 0 and null without such news.
   */
  jump: number;
  jumpSecond: number | null;
  /** Nothing trades. */
  quiet: boolean;
  /** News moved it before the open or during the session. */
  news: boolean;
  halt: HaltKind;
  /** It was halted the evening before. */
  resuming: boolean;
};

/** What a day adds to the price, before the year's drift is added. */
type Step = Omit<DayOutline, 'date' | 'previous' | 'open' | 'close'> & { overnight: number; session: number };

type Yesterday = { halted: boolean; eveningNews: boolean };

const OPEN_SECOND = 36_000;
const MIDDAY = 12 * 3600;
const LAST_JUMP_SECOND = 15.6 * 3600;
const EVENING_SECOND = 15.9 * 3600;

/** The price at the turn of a year: near the base price in every year, so that no price grows without bound. */
const anchor = (seed: number, listing: Listing, year: number): number =>
  Math.min(0.5, 11 * listing.volatility) * gauss(mix(seed, 0x7ea4), year);

/** The move that news causes: somewhat more often up than down, larger for volatile listings. */
const eventSize = (listing: Listing, seed: number): number =>
  Math.max(-0.6, listing.volatility * (2.3 * gauss(seed, DRAW.event) + 0.7));

const newStep = (): Step => ({
  seed: 0,
  overnight: 0,
  session: 0,
  jump: 0,
  jumpSecond: null,
  quiet: true,
  news: false,
  halt: 'none',
  resuming: false,
});

/** A day without a trade. */
function resetStep(step: Step): void {
  step.overnight = 0;
  step.session = 0;
  step.jump = 0;
  step.jumpSecond = null;
  step.quiet = true;
  step.news = false;
}

/** Draws one day into `step`. The object is used again for every day, to save a year of objects for each listing. */
function drawStep(
  step: Step,
  listing: Listing,
  year: TradingYear,
  index: number,
  released: number | null,
  yesterday: Yesterday,
): void {
  const { seed } = step;
  step.resuming = yesterday.halted;
  step.halt = yesterday.halted || index === year.dates.length - 1 ? 'none' : haltKind(listing, seed);
  resetStep(step);
  if (listing.suspended || step.halt === 'day') return;
  const early = step.resuming || yesterday.eveningNews || (released !== null && released < OPEN_SECOND);
  const during =
    step.halt === 'pause' || (released !== null && released >= OPEN_SECOND && released < LAST_JUMP_SECOND);
  const rare = listing.tradesPerMinute < 1.8 ? 0.22 : 0;
  if (!early && !during && step.halt === 'none' && unit(seed, DRAW.quiet) < rare) return;
  const { volatility, beta } = listing;
  const size = early || during ? eventSize(listing, seed) : 0;
  const runs = unit(seed, DRAW.runner) < 0.02;
  step.quiet = false;
  step.news = early || during;
  step.overnight =
    0.4 * volatility * gauss(seed, DRAW.overnight) + beta * (year.overnight[index] ?? 0) + (early ? size : 0);
  step.session = 0.8 * volatility * gauss(seed, DRAW.session) + beta * (year.session[index] ?? 0);
  if (runs) step.session += 2.4 * volatility * gauss(seed, DRAW.runnerSize);
  if (!during) return;
  step.session += size;
  step.jump = size;
  step.jumpSecond = released ?? MIDDAY;
}

/** Calls `visit` with every day of a listing's year in order; `step` changes after the call. */
function eachStep(
  world: World,
  listing: Listing,
  year: TradingYear,
  visit: (step: Step, index: number) => void,
): void {
  const seed = listingSeed(world, listing);
  const step = newStep();
  const yesterday: Yesterday = { halted: false, eveningNews: false };
  for (let index = 0; index < year.days.length; index += 1) {
    step.seed = daySeed(seed, year.days[index] ?? 0);
    const released = sensitiveSecond(listing, step.seed);
    drawStep(step, listing, year, index, released, yesterday);
    visit(step, index);
    yesterday.halted = step.halt === 'day' || step.halt === 'evening';
    yesterday.eveningNews = released !== null && released >= EVENING_SECOND;
  }
}

/**
 * Some days of one listing's calendar year. The price walks from this year's anchor to the next one's, so a year can be
 * computed without the years before it and a date has the same price whenever it is computed.
 * @param from index of the first day; @param until index after the last
 */
export function walkYear(
  world: World,
  listing: Listing,
  year: TradingYear,
  from: number,
  until: number,
): DayOutline[] {
  let walked = 0;
  let moving = 0;
  let walkedBefore = 0;
  let movingBefore = 0;
  const kept: Step[] = [];
  eachStep(world, listing, year, (step, index) => {
    if (index === from) {
      walkedBefore = walked;
      movingBefore = moving;
    }
    if (index >= from && index < until) kept.push({ ...step });
    walked += step.overnight + step.session;
    if (!step.quiet) moving += 1;
  });
  const seed = listingSeed(world, listing);
  const start = anchor(seed, listing, year.year);
  const drift = moving > 0 ? (anchor(seed, listing, year.year + 1) - start - walked) / moving : 0;
  let level = start + walkedBefore + drift * movingBefore;
  return kept.map((step, index) => {
    const { overnight, session, ...rest } = step;
    const previous = level;
    const open = previous + overnight;
    level = open + session + (step.quiet ? 0 : drift);
    return { date: year.dates[from + index] ?? '', previous, open, close: level, ...rest };
  });
}

function daysUntil(year: TradingYear, date: string): number {
  const index = year.indexOf.get(date);
  if (index !== undefined) return index + 1;
  const next = year.dates.findIndex((day) => day > date);
  return next < 0 ? year.dates.length : next;
}

/**
 * The last days of a listing up to and including a date, oldest first.
 * @param date YYYY-MM-DD; on a day without trading the days before it are meant
 * @param count how many
 */
export function outlinesUntil(world: World, listing: Listing, date: string, count: number): DayOutline[] {
  let days: DayOutline[] = [];
  let year = world.year(Number(date.slice(0, 4)));
  let until = daysUntil(year, date);
  while (days.length < count) {
    const from = Math.max(0, until - (count - days.length));
    days = [...walkYear(world, listing, year, from, until), ...days];
    year = world.year(year.year - 1);
    until = year.dates.length;
  }
  return days;
}
