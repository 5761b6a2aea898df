import { DAY_MS } from '#lib/units.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import { dayOf } from '#market/rules/localTime.ts';
import { isTradingDay } from '#market/rules/tradingDay.ts';
import type { ChartTimeframe, TimeSpan } from './bars.ts';
import { minutesOf } from './buckets.ts';

/**
 * A time without prices of a source. `days` are the first and last completely missing dates, YYYY-MM-DD in
 * Sydney; null if there are none.
 */
export type DataGap = TimeSpan & { days: { first: string; last: string } | null };

export type Coverage = {
  since: number;
  seen: number;
  blind: readonly DataGap[];
  starts?: readonly number[];
};

/** A time without prices; `isOutage` is false if the source may have had nothing to send. */
export type UnseenSpan = TimeSpan & { isOutage: boolean };

/** More than one gap per day for a year. Older ones are dropped, because their minutes are gone. */
export const MAX_DATA_GAPS = 400;
/** Limit for one gap; a longer one means that the clock was set. */
const MAX_DATES = 800;

/** The trading hours of a date, opening auction to end of post close; null on a non-trading day. */
export function tradingHours(date: string): TimeSpan | null {
  const phases = phasesOf(date);
  const open = phases.find(({ phase }) => phase === 'ospa');
  const end = phases.find(({ phase }) => phase === 'post-close');
  return open && end ? { from: open.since, until: end.until } : null;
}

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
 * The part of a gap in trading hours.
 * @param from epoch ms
 * @param until epoch ms
 * @returns from the first such moment to the last; null if there is none
 */
export function dataGap(from: number, until: number): DataGap | null {
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
 * The coverage after a price.
 * @param coverage null before the first price
 * @param now epoch ms of the price
 * @param isStart whether it is the first since the server's start
 */
export function cameAgain(
  coverage: Coverage | null,
  now: number,
  maxSilenceMs: number,
  isStart = false,
): Coverage {
  if (!coverage) return { since: now, seen: now, blind: [] };
  const { since, seen, blind, starts = [] } = coverage;
  const missed = now - seen > maxSilenceMs ? dataGap(seen, now) : null;
  const ends = missed && isStart ? [...starts, missed.until].slice(-MAX_DATA_GAPS) : starts;
  return {
    since: Math.min(since, now),
    seen: now,
    blind: missed ? [...blind, missed].slice(-MAX_DATA_GAPS) : blind,
    ...(ends.length > 0 && { starts: ends }),
  };
}

/**
 * The gaps, plus all time before the first price.
 * @param gaps of the coverage, plus a current one
 * @param hasCome whether prices came since the server's start
 */
export const unseenSpans = (
  { since, seen, starts = [] }: Pick<Coverage, 'since' | 'seen' | 'starts'>,
  gaps: readonly DataGap[],
  hasCome: boolean,
): UnseenSpan[] => [
  { from: Number.NEGATIVE_INFINITY, until: since, isOutage: true },
  ...gaps.map(({ from, until }) => ({
    from,
    until,
    isOutage: starts.includes(until) || (!hasCome && until > seen),
  })),
];

export function gapsUntil(coverage: Coverage, now: number, maxSilenceMs: number): readonly DataGap[] {
  const { seen, blind } = coverage;
  const lasting = now - seen > maxSilenceMs ? dataGap(seen, now) : null;
  return lasting ? [...blind, lasting] : blind;
}

/**
 * Times in which bars of a timeframe are missing. For minutes these are all gaps; for longer frames only gaps
 * over a whole bar, from midnight UTC of its first date to that after its last.
 */
export function missingBars(tf: ChartTimeframe, spans: readonly DataGap[]): TimeSpan[] {
  if (minutesOf(tf) !== null) return spans.map(({ from, until }) => ({ from, until }));
  const shortest = { W: 7, M: 28 }[tf as string] ?? 1;
  return spans.flatMap(({ days }) => {
    if (!days) return [];
    const [first, last] = [dayOf(days.first), dayOf(days.last)];
    return last - first + 1 < shortest - 3 ? [] : [{ from: first * DAY_MS, until: (last + 1) * DAY_MS }];
  });
}

export const clipSpans = (spans: readonly TimeSpan[], { from, until }: TimeSpan): TimeSpan[] =>
  spans
    .filter((span) => span.until > from && span.from < until)
    .map((span) => ({ from: Math.max(span.from, from), until: Math.min(span.until, until) }));
