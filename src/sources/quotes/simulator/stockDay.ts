import type { Trend } from '#market/rules/stock.ts';
import { priceAtStep, roundToStep } from '#market/rules/priceStep.ts';
import { previousTradingDay } from '#market/rules/tradingDay.ts';
import type { Release } from '#market/sources/announcements.ts';
import { DRAW, mix, pick, releaseSecond, sensitiveSecond, unit } from './random.ts';
import { type HaltSpan, haltSpan, type Schedule, scheduleOf } from './phases.ts';
import { type DayOutline, outlineOn, outlinesUntil, type Past } from './history.ts';
import type { Listing } from './listings.ts';
import { type DayRecord, recordOf, volumeOf } from './record.ts';
import type { DailyBar } from '#market/bars/rules/bars.ts';
import { dayNumber } from './world.ts';

/** Names kinds of reports only and states nothing about a company. */
type Title = { headline: string; type: string };

type Titles = readonly [Title, ...Title[]];

const title = (headline: string, type = headline): Title => ({ headline, type });

export const COMPANY: Titles = [
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Update - Notification of buy-back', 'Daily Share Buy-Back Notice'),
  title('Update - Notification of buy-back', 'Daily Share Buy-Back Notice'),
  title("Change of Director's Interest Notice"),
  title("Change of Director's Interest Notice"),
  title('Change in substantial holding'),
  title('Becoming a substantial holder'),
  title('Ceasing to be a substantial holder'),
  title('Cleansing Notice'),
  title('Notification of cessation of securities', 'Appendix 3H (Notification of cessation of securities)'),
  title('Notification regarding unquoted securities', 'Appendix 3G'),
  title('Proposed issue of securities', 'Appendix 3B (Proposed issue of securities)'),
  title('Investor Presentation', 'Company Presentation'),
  title('Results of Meeting'),
  title('Notice of Annual General Meeting'),
  title("Chair's Address to Shareholders"),
  title("Initial Director's Interest Notice"),
  title("Final Director's Interest Notice"),
  title('Letter to Shareholders'),
  title('Corporate Governance Statement', 'Corporate Governance'),
  title('Annual Report'),
  title('Company Secretary Appointment/Resignation'),
  title('Webcast details', 'Web Cast'),
];

const FUND: Titles = [
  title('Net Tangible Asset Backing'),
  title('Net Tangible Asset Backing'),
  title('Daily fund update', 'Net Tangible Asset Backing'),
  title('Application for quotation of securities', 'Appendix 2A'),
  title('Dividend/Distribution', 'Dividend Rate'),
  title('Monthly redemptions', 'Alteration to issued capital'),
];

export const SENSITIVE_RESOURCES: Titles = [
  title('Quarterly Activities Report', 'First Quarter Activities Report'),
  title('Quarterly Cash Flow Report', 'First Quarter Cash Flow Report'),
  title('Operations update', 'Progress Report'),
  title('Progress Report'),
  title('Progress Report'),
  title('Trading Update'),
  title('Market update', 'Progress Report'),
  title('Project update', 'Progress Report'),
  title('Exploration update', 'Progress Report'),
];

export const SENSITIVE: Titles = [
  title('Quarterly Activities Report', 'First Quarter Activities Report'),
  title('Trading Update'),
  title('Market update', 'Progress Report'),
  title('Business update', 'Progress Report'),
  title('Half Yearly Report and Accounts', 'Half Yearly Report'),
];

const SENSITIVE_FUND: Titles = [title('Estimated Distribution', 'Dividend Rate')];

const HALT = title('Trading Halt');
const HALT_LIFTED = title('Reinstatement to Official Quotation', 'Trading Halt Lifted');
const AFTER_HALT: Titles = [
  title('Placement'),
  title('Progress Report'),
  title('Market update', 'Progress Report'),
];

type PlannedRelease = { second: number; title: Title; sensitive: boolean };

const RESOURCE_SECTORS = new Set(['Materials', 'Energy']);

function sensitiveTitle(listing: Listing, seed: number): Title {
  const at = unit(mix(seed, DRAW.headlines), 1);
  if (listing.kind === 'fund') return pick(SENSITIVE_FUND, at);
  return pick(RESOURCE_SECTORS.has(listing.sector) ? SENSITIVE_RESOURCES : SENSITIVE, at);
}

function routineReleases(listing: Listing, seed: number): PlannedRelease[] {
  const own = mix(seed, DRAW.routine);
  const rate = Math.max(0, listing.announcementRate - listing.sensitiveRate) / 1.35;
  if (unit(own, 1) >= rate) return [];
  const count = unit(own, 2) < 0.74 ? 1 : unit(own, 3) < 0.7 ? 2 : 3;
  const second = releaseSecond(unit(own, 4));
  return Array.from({ length: count }, (_, index) => ({
    second: second + index * 41,
    title: pick(listing.kind === 'fund' ? FUND : COMPANY, unit(own, 10 + index)),
    sensitive: false,
  }));
}

/** Announcements at the start and end of a halt, and the news that ends it. */
function haltReleases(halt: HaltSpan | null, seed: number): PlannedRelease[] {
  if (!halt) return [];
  const begin: PlannedRelease[] = halt.from > 0 ? [{ second: halt.from, title: HALT, sensitive: true }] : [];
  if (!Number.isFinite(halt.until)) return begin;
  const news = pick(AFTER_HALT, unit(mix(seed, DRAW.headlines), 2));
  return [
    ...begin,
    { second: halt.until - 420, title: news, sensitive: true },
    { second: halt.until, title: HALT_LIFTED, sensitive: false },
  ];
}

/**
 * A listing's announcements of a trading day, in time order.
 * @param midnight of that day in Sydney, epoch ms
 * @param halt its start and end are announced
 */
function releasesOf(
  listing: Listing,
  date: string,
  midnight: number,
  seed: number,
  halt: HaltSpan | null,
): Release[] {
  const second = sensitiveSecond(listing, seed);
  const releases = [...routineReleases(listing, seed), ...haltReleases(halt, seed)];
  if (second !== null) releases.push({ second, title: sensitiveTitle(listing, seed), sensitive: true });
  return releases
    .sort((a, b) => a.second - b.second)
    .map((release, index) => ({
      id: `sim-${date}-${listing.code}-${index + 1}`,
      code: listing.code,
      headline: release.title.headline,
      url: null,
      document: null,
      announcementTypes: [release.title.type],
      isPriceSensitive: release.sensitive,
      time: midnight + release.second * 1000,
    }));
}

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
 * Days and weeks in a row in which the close rose or fell, from the newest. The running week counts with its
 * latest close.
 * @param closes daily bars, oldest first
 */
export function trendOf(closes: readonly Pick<DailyBar, 'date' | 'close'>[]): Trend {
  const weekly = new Map<number, number>();
  for (const { date, close } of closes) weekly.set(weekOf(date), close);
  const days = runs(closes.map((bar) => bar.close));
  const weeks = runs([...weekly.values()]);
  return { daysUp: days.up, daysDown: days.down, weeksUp: weeks.up, weeksDown: weeks.down };
}

export type DayPath = {
  listing: Listing;
  record: DayRecord;
  halt: HaltSpan | null;
  pathSeed: number;
};

/** What a day's minutes need. */
export type SessionPlan = DayPath & {
  close: number;
  marketCap: number | null;
  averageVolume: number;
  releases: readonly Release[];
};

export type StockDay = SessionPlan & { trend: Trend };

const AVERAGE_DAYS = 20;
const TREND_DAYS = 80;

const haltOf = (outline: DayOutline, schedule: Schedule): HaltSpan | null =>
  haltSpan(outline.halt, outline.resuming, outline.seed, schedule.end);

const pathOf = (listing: Listing, outline: DayOutline, schedule: Schedule): DayPath => ({
  listing,
  record: recordOf(listing, outline),
  halt: haltOf(outline, schedule),
  pathSeed: mix(outline.seed, DRAW.path),
});

const noTrading = (date: string): RangeError => new RangeError(`The market does not trade on ${date}.`);

/** The path of a trading day, identical to the one in the day's plan. */
export function planPath(past: Past, listing: Listing, schedule: Schedule): DayPath {
  const outline = outlineOn(past, listing, schedule.date, TREND_DAYS);
  if (!outline) throw noTrading(schedule.date);
  return pathOf(listing, outline, schedule);
}

/** A trading day, and the day before: its date, midnight (epoch ms) and end of continuous trading (seconds). */
export type PlannedDate = {
  schedule: Schedule;
  previous: { date: string; midnight: number; end: number };
};

export function plannedDate(schedule: Schedule): PlannedDate {
  const date = previousTradingDay(schedule.date);
  const { midnight, end } = scheduleOf(date);
  return { schedule, previous: { date, midnight, end } };
}

/** @param outlines up to the date, oldest first */
function planFrom(
  listing: Listing,
  outlines: readonly DayOutline[],
  { schedule, previous }: PlannedDate,
): SessionPlan {
  const today = outlines.at(-1);
  if (!today || today.date !== schedule.date) throw noTrading(schedule.date);
  const path = pathOf(listing, today, schedule);
  const recent = outlines.slice(-1 - AVERAGE_DAYS, -1).map((one) => volumeOf(listing, one));
  const close = priceAtStep(path.record.previousStep);
  const before = outlines.at(-2);
  const halt =
    before?.date === previous.date ? haltSpan(before.halt, before.resuming, before.seed, previous.end) : null;
  return {
    ...path,
    close,
    marketCap: listing.shares === null ? null : Math.round(listing.shares * close),
    averageVolume: recent.length === 0 ? 0 : recent.reduce((sum, one) => sum + one, 0) / recent.length,
    releases: [
      ...(before?.date === previous.date
        ? releasesOf(listing, previous.date, previous.midnight, before.seed, halt)
        : []),
      ...releasesOf(listing, schedule.date, schedule.midnight, today.seed, path.halt),
    ],
  };
}

/** Plans a listing's trading day. It depends only on the world's seed, the listing and the date. */
export function planStock(past: Past, listing: Listing, date: PlannedDate): StockDay {
  const outlines = outlinesUntil(past, listing, date.schedule.date, TREND_DAYS);
  const closes = outlines
    .slice(0, -1)
    .map((one) => ({ date: one.date, close: roundToStep(listing.basePrice * Math.exp(one.close)) }));
  return { ...planFrom(listing, outlines, date), trend: trendOf(closes) };
}

/** The same without the trend, which the minutes do not need. */
export const planSession = (past: Past, listing: Listing, date: PlannedDate): SessionPlan =>
  planFrom(listing, outlinesUntil(past, listing, date.schedule.date, TREND_DAYS, AVERAGE_DAYS + 1), date);
