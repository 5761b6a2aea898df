import { daySeed, DRAW, gauss, listingSeed, mix, sensitiveSecond, unit } from './random.ts';
import { type HaltKind, haltKind } from './phases.ts';
import type { Listing } from './listings.ts';
import type { TradingYear, World } from './world.ts';

type DayExtras = Omit<DayOutline, 'date' | 'previous' | 'open' | 'close'>;

type Step = DayExtras & { overnight: number; session: number };

type Yesterday = { halted: boolean; eveningNews: boolean };

const OPEN_SECOND = 36_000;
const MIDDAY = 12 * 3600;
const LAST_JUMP_SECOND = 15.6 * 3600;
const EVENING_SECOND = 15.9 * 3600;

/** The move of news: more often up than down, and larger for volatile listings. */
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

function resetStep(step: Step): void {
  step.overnight = 0;
  step.session = 0;
  step.jump = 0;
  step.jumpSecond = null;
  step.quiet = true;
  step.news = false;
}

/** Reuses `step` for every day, to avoid a year of objects per listing. */
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

/** Visits every day of a listing's year; `step` changes after the call. */
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
 * A listing's calendar year, with the accumulated moves before each day. One price needs a walk over many
 * days, so days are stored as numbers, not as objects.
 */
type WalkedYear = {
  visit(index: number, outline: DayExtras): void;
  /** Moves overnight and during the session, and whether nothing trades. */
  overnight(index: number): number;
  session(index: number): number;
  isQuiet(index: number): boolean;
  walkedBefore(index: number): number;
  movingBefore(index: number): number;
};

const MAX_DAYS = 262;

class Year implements WalkedYear {
  private readonly seeds = new Uint32Array(MAX_DAYS);
  private readonly overnights = new Float64Array(MAX_DAYS);
  private readonly sessions = new Float64Array(MAX_DAYS);
  private readonly jumps = new Float64Array(MAX_DAYS);
  private readonly jumpSeconds = new Float64Array(MAX_DAYS);
  private readonly quiet = new Uint8Array(MAX_DAYS);
  private readonly news = new Uint8Array(MAX_DAYS);
  private readonly resuming = new Uint8Array(MAX_DAYS);
  private readonly halts = new Array<HaltKind>(MAX_DAYS).fill('none');
  private readonly walked = new Float64Array(MAX_DAYS + 1);
  private readonly moving = new Uint16Array(MAX_DAYS + 1);

  fill(world: World, listing: Listing, year: TradingYear): void {
    eachStep(world, listing, year, (step, index) => this.keep(step, index));
  }

  walkedBefore(index: number): number {
    return this.walked[index] ?? 0;
  }

  movingBefore(index: number): number {
    return this.moving[index] ?? 0;
  }

  overnight(index: number): number {
    return this.overnights[index] ?? 0;
  }

  session(index: number): number {
    return this.sessions[index] ?? 0;
  }

  isQuiet(index: number): boolean {
    return this.quiet[index] === 1;
  }

  visit(index: number, outline: DayExtras): void {
    const jumpSecond = this.jumpSeconds[index] ?? Number.NaN;
    outline.seed = this.seeds[index] ?? 0;
    outline.jump = this.jumps[index] ?? 0;
    outline.jumpSecond = Number.isNaN(jumpSecond) ? null : jumpSecond;
    outline.quiet = this.isQuiet(index);
    outline.news = this.news[index] === 1;
    outline.halt = this.halts[index] ?? 'none';
    outline.resuming = this.resuming[index] === 1;
  }

  private keep(step: Step, index: number): void {
    this.seeds[index] = step.seed;
    this.overnights[index] = step.overnight;
    this.sessions[index] = step.session;
    this.jumps[index] = step.jump;
    this.jumpSeconds[index] = step.jumpSecond ?? Number.NaN;
    this.quiet[index] = Number(step.quiet);
    this.news[index] = Number(step.news);
    this.resuming[index] = Number(step.resuming);
    this.halts[index] = step.halt;
    this.walked[index + 1] = (this.walked[index] ?? 0) + (step.overnight + step.session);
    this.moving[index + 1] = (this.moving[index] ?? 0) + (step.quiet ? 0 : 1);
  }
}

/** The result is valid until a year of another listing is requested. */
type YearWalk = (listing: Listing, year: TradingYear) => WalkedYear;

/**
 * Draws the years of one listing and caches the last ones: every date needs the whole year, and a column asks
 * for twenty dates per listing.
 */
function createYearWalk(world: World): YearWalk {
  const years = new Map<number, { walked: Year; listing: Listing | null }>();
  return (listing, year) => {
    const kept = years.get(year.year) ?? { walked: new Year(), listing: null };
    years.set(year.year, kept);
    if (kept.listing !== listing) kept.walked.fill(world, listing, year);
    kept.listing = listing;
    return kept.walked;
  };
}

export type DayOutline = {
  date: string;
  seed: number;
  previous: number;
  open: number;
  close: number;
  /**
   * The part of the session's move caused by news, and its second of the day (the end of a halt if it ends
   * one); 0 and null without news.
   */
  jump: number;
  jumpSecond: number | null;
  quiet: boolean;
  news: boolean;
  halt: HaltKind;
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

export type Past = { world: World; walk: YearWalk };

export const createPast = (world: World): Past => ({ world, walk: createYearWalk(world) });

/** The price at the turn of a year, always near the base price, so that no price grows without bound. */
const anchor = (seed: number, listing: Listing, year: number): number =>
  Math.min(0.5, 11 * listing.volatility) * gauss(mix(seed, 0x7ea4), year);

/**
 * Visits some days of a listing's calendar year. The price walks from this year's anchor to the next, so a
 * date has the same price however it is computed.
 * @param from index of the first day
 * @param until index after the last
 * @param firstVisited index of the first visited day
 * @param visit the outline changes after the call
 */
function walkYear(
  { world, walk }: Past,
  listing: Listing,
  year: TradingYear,
  { from, until, firstVisited = from }: { from: number; until: number; firstVisited?: number },
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
    if (index < firstVisited) continue;
    outline.date = year.dates[index] ?? '';
    outline.previous = previous;
    outline.open = open;
    outline.close = level;
    walked.visit(index, outline);
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
 * Visits the last days of a listing up to a date, oldest first.
 * @param date YYYY-MM-DD; may be a non-trading day
 * @param count days from which prices are added up
 * @param visit the outline changes after the call
 * @param visited the last days of them
 */
export function eachOutlineUntil(
  past: Past,
  listing: Listing,
  date: string,
  count: number,
  visit: (outline: DayOutline) => void,
  visited = count,
): void {
  const spans: { year: TradingYear; from: number; until: number; firstVisited: number }[] = [];
  let unvisited = visited;
  let year = past.world.year(Number(date.slice(0, 4)));
  let until = daysUntil(year, date);
  for (let left = count; left > 0; ) {
    const from = Math.max(0, until - left);
    spans.push({ year, from, until, firstVisited: Math.max(from, until - unvisited) });
    unvisited = Math.max(0, unvisited - (until - from));
    left -= until - from;
    year = past.world.year(year.year - 1);
    until = year.dates.length;
  }
  for (const span of spans.toReversed()) walkYear(past, listing, span.year, span, visit);
}

export function outlinesUntil(
  past: Past,
  listing: Listing,
  date: string,
  count: number,
  visited = count,
): DayOutline[] {
  const outlines: DayOutline[] = [];
  eachOutlineUntil(past, listing, date, count, (outline) => outlines.push({ ...outline }), visited);
  return outlines;
}

/**
 * One day of a listing; undefined on a non-trading day.
 * @param reach the `count` of `outlinesUntil`, so that both are equal to the last bit
 */
export function outlineOn(past: Past, listing: Listing, date: string, reach: number): DayOutline | undefined {
  const year = past.world.year(Number(date.slice(0, 4)));
  const index = year.indexOf.get(date);
  if (index === undefined) return undefined;
  let found: DayOutline | undefined;
  const span = { from: Math.max(0, index + 1 - reach), until: index + 1, firstVisited: index };
  walkYear(past, listing, year, span, (outline) => {
    found = outline;
  });
  return found;
}
