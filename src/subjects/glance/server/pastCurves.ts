import { dateOf, dayOfKey, dayOf } from '#market/rules/localTime.ts';
import { closesEarly } from '#market/rules/tradingDay.ts';
import type { Stock } from '#market/rules/stock.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { PastDays } from './pastDays.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import { isFund } from '#market/rules/securities.ts';
import {
  CURVE_POINTS,
  MAX_SESSIONS,
  pointAfter,
  type SessionCurves,
  sinceOpen,
  type ValueCurve,
} from '../rules/valueCurve.ts';

/** The stocks whose minutes give a day its form: three quarters of what is traded. The others count in the day's sum. */
const LEADERS = 60;

type DayValues = Map<number, number>;

/** What was traded on each of the last days, AUD by day number, and the stocks that traded most, first. */
function dayTotals({ traded }: Pick<PastDays, 'traded'>, codes: readonly string[]) {
  const totals: DayValues = new Map();
  const sums = codes.map((code) => {
    let sum = 0;
    for (const { day, value } of traded.get(code) ?? []) {
      totals.set(day, (totals.get(day) ?? 0) + value);
      sum += value;
    }
    return { code, sum };
  });
  sums.sort((a, b) => b.sum - a.sum || (a.code < b.code ? -1 : 1));
  return { totals, leaders: sums.slice(0, LEADERS).map(({ code }) => code) };
}

/** What these stocks traded by each point of the last days, AUD by day number. */
function* pointTotals(past: Pick<PastBars, 'minutes'>, codes: readonly string[], before: number) {
  const days = new Map<number, number[]>();
  for (const code of codes) {
    const minutes = yield* past.minutes(code, MAX_SESSIONS + 1);
    for (const { key, close, volume } of minutes) {
      const day = dayOfKey(key);
      if (day >= before) continue;
      const points = days.get(day) ?? new Array<number>(CURVE_POINTS).fill(0);
      days.set(day, points);
      const point = pointAfter(sinceOpen(key));
      points[point] = (points[point] ?? 0) + close * volume;
    }
    yield;
  }
  return days;
}

type Sources = { past: Pick<PastBars, 'minutes'>; days: Pick<PastDays, 'traded'> };

function* curvesOf(
  { past, days: known }: Sources,
  codes: readonly string[],
  before: number,
): Steps<Map<number, ValueCurve>> {
  const { totals, leaders } = dayTotals(known, codes);
  const days = yield* pointTotals(past, leaders, before);
  const curves = new Map<number, ValueCurve>();
  for (const [day, points] of days) {
    const led = points.reduce((sum, value) => sum + value, 0);
    const whole = totals.get(day) ?? 0;
    if (led === 0 || whole === 0) continue;
    let sum = 0;
    curves.set(
      day,
      points.map((value) => Math.round(((sum += value) / led) * whole)),
    );
  }
  return curves;
}

/**
 * The value curves of the last sessions of a source that can tell its past at any time, in steps: the form of a day from
 * the minutes of those that trade most, its height from the daily bars of all.
 * @param date those before it count, YYYY-MM-DD
 */
export function* pastCurves(
  sources: Sources,
  stocks: ReadonlyMap<string, Stock>,
  date: string,
): Steps<SessionCurves[]> {
  const of = (funds: boolean): string[] =>
    [...stocks.values()].filter((stock) => isFund(stock) === funds).map(({ code }) => code);
  const before = dayOf(date);
  const shares = yield* curvesOf(sources, of(false), before);
  const funds = yield* curvesOf(sources, of(true), before);
  const none: ValueCurve = new Array<number>(CURVE_POINTS).fill(0);
  return [...shares]
    .filter(([day]) => !closesEarly(dateOf(day)))
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_SESSIONS)
    .map(([day, curve]) => ({ shares: curve, funds: funds.get(day) ?? none }));
}
