import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import { dayOf } from '#market/rules/localTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { ChartTimeframe, TimeSpan } from './bars.ts';
import { minutesOf } from './buckets.ts';

/**
 * A stretch in which a source's prices were not seen. `days` are the first and last date of those of which nothing was
 * seen, YYYY-MM-DD in Sydney; null when there is no such day.
 */
export type BlindSpan = TimeSpan & { days: { first: string; last: string } | null };

/** From when to when a source's bars are known, and what is missing between. */
export type Coverage = {
  /** Epoch ms. */
  since: number;
  /** The last moment at which prices came, epoch ms. */
  seen: number;
  /** Oldest first. */
  blind: readonly BlindSpan[];
  /** The ends of those in which the server was started; absent for none. */
  starts?: readonly number[];
};

/** A stretch in which no prices came; `isOutage` is false if the source may have had nothing to send. */
export type UnseenSpan = TimeSpan & { isOutage: boolean };

/** More than a year of one a day. The oldest are forgotten: their minutes are gone long before. */
export const MAX_BLIND_SPANS = 400;
/** Dates that are looked at for the hours of a stretch; a longer one tells of a clock that was set. */
const MAX_DATES = 800;

/**
 * The hours of a date in which shares trade: from the opening auction to the end of post close trading.
 * @returns null on a day without trading
 */
export function tradingHours(date: string): TimeSpan | null {
  const phases = phasesOf(date);
  const open = phases.find(({ phase }) => phase === 'ospa');
  const end = phases.find(({ phase }) => phase === 'post-close');
  return open && end ? { from: open.since, until: end.until } : null;
}

/** The dates from one to another on which shares trade, at most `MAX_DATES` of the calendar. */
function tradingDates(first: string, last: string): string[] {
  const dates: string[] = [];
  let date = first;
  for (let count = 0; date <= last && count < MAX_DATES; count += 1) {
    if (isTradingDay(date)) dates.push(date);
    date = addDays(date, 1);
  }
  return dates;
}

/**
 * What of a stretch without prices was in trading hours.
 * @param from epoch ms; @param until epoch ms
 * @returns it, from the first such moment to the last; null when there was none
 */
export function blindSpan(from: number, until: number): BlindSpan | null {
  const dates = tradingDates(sydneyDate(from), sydneyDate(until));
  const isTouched = (date: string): boolean => {
    const hours = tradingHours(date);
    return hours !== null && hours.from < until && hours.until > from;
  };
  const isWhole = (date: string): boolean => {
    const hours = tradingHours(date);
    return hours !== null && hours.from >= from && hours.until <= until;
  };
  const first = dates.find(isTouched);
  const last = dates.findLast(isTouched);
  const opened = first === undefined ? null : tradingHours(first);
  const closed = last === undefined ? null : tradingHours(last);
  if (!opened || !closed) return null;
  const firstWhole = dates.find(isWhole);
  const lastWhole = dates.findLast(isWhole);
  const isAnyWhole = firstWhole !== undefined && lastWhole !== undefined;
  return {
    from: Math.max(from, opened.from),
    until: Math.min(until, closed.until),
    days: isAnyWhole ? { first: firstWhole, last: lastWhole } : null,
  };
}

/**
 * @param coverage null when nothing was known before; @param now epoch ms, at which prices came
 * @param isStart whether they are the first since the server was started
 */
export function cameAgain(
  coverage: Coverage | null,
  now: number,
  maxSilenceMs: number,
  isStart = false,
): Coverage {
  if (!coverage) return { since: now, seen: now, blind: [] };
  const { since, seen, blind, starts = [] } = coverage;
  const missed = now - seen > maxSilenceMs ? blindSpan(seen, now) : null;
  const ends = missed && isStart ? [...starts, missed.until].slice(-MAX_BLIND_SPANS) : starts;
  return {
    since: Math.min(since, now),
    seen: now,
    blind: missed ? [...blind, missed].slice(-MAX_BLIND_SPANS) : blind,
    ...(ends.length > 0 && { starts: ends }),
  };
}

/**
 * The stretches without prices, with all the time before the first.
 * @param blind those of the coverage, and the one that lasts; @param hasCome whether prices came since the server was started
 */
export const unseenSpans = (
  { since, seen, starts = [] }: Pick<Coverage, 'since' | 'seen' | 'starts'>,
  blind: readonly BlindSpan[],
  hasCome: boolean,
): UnseenSpan[] => [
  { from: Number.NEGATIVE_INFINITY, until: since, isOutage: true },
  ...blind.map(({ from, until }) => ({
    from,
    until,
    isOutage: starts.includes(until) || (!hasCome && until > seen),
  })),
];

/** The blind stretches, and the one that lasts. @param now epoch ms */
export function blindUntil(coverage: Coverage, now: number, maxSilenceMs: number): readonly BlindSpan[] {
  const { seen, blind } = coverage;
  const lasting = now - seen > maxSilenceMs ? blindSpan(seen, now) : null;
  return lasting ? [...blind, lasting] : blind;
}

const DAY_MS = 86_400_000;

/**
 * The stretches in which bars of a timeframe are missing: of minutes all that was not seen; of days, weeks and months what
 * holds a whole one without a price, from midnight UTC of its first date to that of the date after its last.
 */
export function missingBars(tf: ChartTimeframe, spans: readonly BlindSpan[]): TimeSpan[] {
  if (minutesOf(tf) !== null) return spans.map(({ from, until }) => ({ from, until }));
  const shortest = { W: 7, M: 28 }[tf as string] ?? 1;
  return spans.flatMap(({ days }) => {
    if (!days) return [];
    const [first, last] = [dayOf(days.first), dayOf(days.last)];
    return last - first + 1 < shortest - 3 ? [] : [{ from: first * DAY_MS, until: (last + 1) * DAY_MS }];
  });
}

/** What of some stretches lies within another, cut at its ends; epoch ms. */
export const clipSpans = (spans: readonly TimeSpan[], { from, until }: TimeSpan): TimeSpan[] =>
  spans
    .filter((span) => span.until > from && span.from < until)
    .map((span) => ({ from: Math.max(span.from, from), until: Math.min(span.until, until) }));
