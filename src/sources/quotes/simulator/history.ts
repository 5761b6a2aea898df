import { listingSeed } from './draws.ts';
import type { HaltKind } from './halts.ts';
import type { Listing } from './listings.ts';
import { gauss, mix } from './random.ts';
import type { TradingYear, World } from './world.ts';
import { createYearWalk, type YearWalk } from './yearWalk.ts';

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

/** The past of all listings: what they share, and each one's own years. */
export type Past = { world: World; walk: YearWalk };

export const createPast = (world: World): Past => ({ world, walk: createYearWalk(world) });

/** The price at the turn of a year: near the base price in every year, so that no price grows without bound. */
const anchor = (seed: number, listing: Listing, year: number): number =>
  Math.min(0.5, 11 * listing.volatility) * gauss(mix(seed, 0x7ea4), year);

/**
 * Some days of one listing's calendar year. The price walks from this year's anchor to the next one's, so a year can be
 * computed without the years before it and a date has the same price whenever it is computed.
 * @param from index of the first day; @param until index after the last; @param told index of the first day that is told
 */
function walkYear(
  { world, walk }: Past,
  listing: Listing,
  year: TradingYear,
  from: number,
  until: number,
  told = from,
): DayOutline[] {
  const walked = walk(listing, year);
  const days = year.dates.length;
  const seed = listingSeed(world, listing);
  const start = anchor(seed, listing, year.year);
  const moving = walked.movingBefore(days);
  const drift =
    moving > 0 ? (anchor(seed, listing, year.year + 1) - start - walked.walkedBefore(days)) / moving : 0;
  let level = start + walked.walkedBefore(from) + drift * walked.movingBefore(from);
  const outlines: DayOutline[] = [];
  for (let index = from; index < until; index += 1) {
    const { overnight, session, ...rest } = walked.step(index);
    const previous = level;
    const open = previous + overnight;
    level = open + session + (rest.quiet ? 0 : drift);
    if (index >= told) {
      outlines.push({ date: year.dates[index] ?? '', previous, open, close: level, ...rest });
    }
  }
  return outlines;
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
export function outlinesUntil(past: Past, listing: Listing, date: string, count: number): DayOutline[] {
  let days: DayOutline[] = [];
  let year = past.world.year(Number(date.slice(0, 4)));
  let until = daysUntil(year, date);
  while (days.length < count) {
    const from = Math.max(0, until - (count - days.length));
    days = [...walkYear(past, listing, year, from, until), ...days];
    year = past.world.year(year.year - 1);
    until = year.dates.length;
  }
  return days;
}

/**
 * One day of a listing; undefined when the market does not trade on that date.
 * @param reach how many days until it `outlinesUntil` would be asked for, so that both tell the same to the last bit
 */
export function outlineOn(past: Past, listing: Listing, date: string, reach: number): DayOutline | undefined {
  const year = past.world.year(Number(date.slice(0, 4)));
  const index = year.indexOf.get(date);
  if (index === undefined) return undefined;
  return walkYear(past, listing, year, Math.max(0, index + 1 - reach), index + 1, index)[0];
}
