import { formatDate } from '../../../texts/format.ts';
import { sydneyDate } from '../../../market/rules/sydneyTime.ts';
import {
  type Firing,
  MAX_FIRINGS,
  type Rehearsal,
  type RehearsalPeriod,
  type RehearsedPeriod,
  TOO_OFTEN,
} from './rehearsal.ts';
import type { RunResult } from './rehearsalRun.ts';

/** What was asked for: with fewer trading days the source is said to be short of them. */
export const MINUTE_DAYS = 5;
export const DAY_DAYS = 250;
/** Holidays, halts and days without a trade. */
const SPARE_DAYS = 10;

/** The run of one period; null when bars could not be had or never told enough. */
export type Runs = Partial<Record<RehearsalPeriod, RunResult | null>>;

/** Half of the list for each, and what the other leaves. */
function newestOf(minutes: readonly Firing[], days: readonly Firing[]): Firing[] {
  const half = MAX_FIRINGS / 2;
  const ofMinutes = minutes.slice(-Math.max(half, MAX_FIRINGS - days.length));
  const ofDays = days.slice(-(MAX_FIRINGS - ofMinutes.length));
  return [...ofDays, ...ofMinutes].sort((one, other) => one.at - other.at);
}

function shortText(noun: string, period: RehearsedPeriod | null, expected: number): string | null {
  if (period === null) return `Too few ${noun} are known to test this alert.`;
  if (period.tradingDays >= expected) return null;
  return `Tested on the ${noun} of ${period.tradingDays} trading ${period.tradingDays === 1 ? 'day' : 'days'} only, from ${formatDate(sydneyDate(period.from))}.`;
}

/**
 * @param sentences what is to be said besides what the runs show
 * @param holdsNow whether the conditions hold in the market now; null when that is not known
 */
export function rehearsalOf(
  runs: Runs,
  sentences: readonly string[],
  holdsNow: boolean | null = null,
): Rehearsal {
  const minutes = runs.minutes?.period ?? null;
  const days = runs.days?.period ?? null;
  const best = runs.minutes ?? runs.days;
  const perDay = best ? best.period.fired / Math.max(1, best.period.tradingDays) : 0;
  const busiestDay = best?.busiestDay ?? 0;
  const short = [
    runs.minutes === undefined ? null : shortText('minute bars', minutes, MINUTE_DAYS - 1),
    runs.days === undefined ? null : shortText('daily bars', days, DAY_DAYS - SPARE_DAYS),
  ];
  return {
    minutes,
    days,
    firings: newestOf(runs.minutes?.firings ?? [], runs.days?.firings ?? []),
    perDay: Math.round(perDay * 100) / 100,
    busiestDay,
    holdsNow: holdsNow ?? best?.holds ?? null,
    tooOften: busiestDay > TOO_OFTEN,
    notRehearsed: [...sentences, ...short.filter((text) => text !== null)],
  };
}
