import { listingSeed } from './draws.ts';
import type { HaltKind } from './halts.ts';
import type { Listing } from './listings.ts';
import { gauss, mix } from './random.ts';
import type { TradingYear, World } from './world.ts';
import { createYearWalk, type YearWalk } from './yearWalk.ts';
import { lazy } from '#lib/lazy.ts';
import type { History } from '../history.ts';
import type { Exchange } from './exchange.ts';

/** The simulator's past. Days without a trade, which it tells as four equal prices, are left out: no bar was made. */
export function simulatedHistory(exchangeOf: () => Exchange): History {
  const codes = lazy(() => new Set(exchangeOf().listings.map((listing) => listing.code)));
  return {
    isDeep: true,
    eachDay(code, until, count, visit) {
      if (!codes().has(code)) return;
      exchangeOf().eachDay(code, until, count, (bar) => {
        if (bar.volume > 0) visit(bar);
      });
    },
    opening: (code) => (codes().has(code) ? exchangeOf().opening(code) : []),
    eachMinute(code, date, visit) {
      if (codes().has(code)) exchangeOf().eachMinute(code, date, visit);
    },
  };
}

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

const newOutline = (): DayOutline => ({
  date: '',
  seed: 0,
  previous: 0,
  open: 0,
  close: 0,
  jump: 0,
  jumpSecond: null,
  quiet: true,
  news: false,
  halt: 'none',
  resuming: false,
});

/** The past of all listings: what they share, and each one's own years. */
export type Past = { world: World; walk: YearWalk };

export const createPast = (world: World): Past => ({ world, walk: createYearWalk(world) });

/** The price at the turn of a year: near the base price in every year, so that no price grows without bound. */
const anchor = (seed: number, listing: Listing, year: number): number =>
  Math.min(0.5, 11 * listing.volatility) * gauss(mix(seed, 0x7ea4), year);

/**
 * Calls `visit` with some days of one listing's calendar year. The price walks from this year's anchor to the next one's,
 * so a year can be computed without the years before it and a date has the same price whenever it is computed.
 * @param from index of the first day; @param until index after the last; @param told index of the first day that is told;
 *   @param visit the outline is one object a call of this function, which changes after the visit
 */
function walkYear(
  { world, walk }: Past,
  listing: Listing,
  year: TradingYear,
  { from, until, told = from }: { from: number; until: number; told?: number },
  visit: (outline: DayOutline) => void,
): void {
  const walked = walk(listing, year);
  const days = year.dates.length;
  const seed = listingSeed(world, listing);
  const start = anchor(seed, listing, year.year);
  const moving = walked.movingBefore(days);
  const drift =
    moving > 0 ? (anchor(seed, listing, year.year + 1) - start - walked.walkedBefore(days)) / moving : 0;
  let level = start + walked.walkedBefore(from) + drift * walked.movingBefore(from);
  const outline = newOutline();
  for (let index = from; index < until; index += 1) {
    const previous = level;
    const open = previous + walked.overnight(index);
    level = open + walked.session(index) + (walked.isQuiet(index) ? 0 : drift);
    if (index < told) continue;
    outline.date = year.dates[index] ?? '';
    outline.previous = previous;
    outline.open = open;
    outline.close = level;
    walked.tell(index, outline);
    visit(outline);
  }
}

function daysUntil(year: TradingYear, date: string): number {
  const index = year.indexOf.get(date);
  if (index !== undefined) return index + 1;
  const next = year.dates.findIndex((day) => day > date);
  return next < 0 ? year.dates.length : next;
}

/**
 * Calls `visit` with the last days of a listing up to and including a date, oldest first.
 * @param date YYYY-MM-DD; on a day without trading the days before it are meant
 * @param count how many; @param visit the outline changes after the call
 */
export function eachOutlineUntil(
  past: Past,
  listing: Listing,
  date: string,
  count: number,
  visit: (outline: DayOutline) => void,
): void {
  const spans: { year: TradingYear; from: number; until: number }[] = [];
  let year = past.world.year(Number(date.slice(0, 4)));
  let until = daysUntil(year, date);
  for (let left = count; left > 0; ) {
    const from = Math.max(0, until - left);
    spans.push({ year, from, until });
    left -= until - from;
    year = past.world.year(year.year - 1);
    until = year.dates.length;
  }
  for (const span of spans.toReversed()) walkYear(past, listing, span.year, span, visit);
}

/** The same as a list. */
export function outlinesUntil(past: Past, listing: Listing, date: string, count: number): DayOutline[] {
  const outlines: DayOutline[] = [];
  eachOutlineUntil(past, listing, date, count, (outline) => outlines.push({ ...outline }));
  return outlines;
}

/**
 * One day of a listing; undefined when the market does not trade on that date.
 * @param reach how many days until it `outlinesUntil` would be asked for, so that both tell the same to the last bit
 */
export function outlineOn(past: Past, listing: Listing, date: string, reach: number): DayOutline | undefined {
  const year = past.world.year(Number(date.slice(0, 4)));
  const index = year.indexOf.get(date);
  if (index === undefined) return undefined;
  let found: DayOutline | undefined;
  const span = { from: Math.max(0, index + 1 - reach), until: index + 1, told: index };
  walkYear(past, listing, year, span, (outline) => {
    found = outline;
  });
  return found;
}
