import { dateOf, dayOfKey, dayOf } from '../../../market/rules/localTime.ts';
import { closesEarly } from '../../../market/rules/tradingDay.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { PastBars } from '../../../market/bars/pastBars.ts';
import type { Steps } from '../../../platform/http/readQueue.ts';
import { isFund } from '../../../market/rules/securities.ts';
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

const add = (values: DayValues, day: number, value: number): void =>
  void values.set(day, (values.get(day) ?? 0) + value);

/** What was traded on each of the last days, AUD by day number, and the stocks that traded most, first. */
function* dayTotals(past: PastBars, codes: readonly string[], before: number) {
  const totals: DayValues = new Map();
  const traded: { code: string; value: number }[] = [];
  for (const code of codes) {
    let sum = 0;
    for (const { key, high, low, close, volume } of past.days(code, MAX_SESSIONS)) {
      if (key >= before) continue;
      const value = ((high + low + close) / 3) * volume;
      add(totals, key, value);
      sum += value;
    }
    traded.push({ code, value: sum });
    yield;
  }
  traded.sort((a, b) => b.value - a.value || (a.code < b.code ? -1 : 1));
  return { totals, leaders: traded.slice(0, LEADERS).map(({ code }) => code) };
}

/** What these stocks traded by each point of the last days, AUD by day number. */
function* pointTotals(past: PastBars, codes: readonly string[], before: number) {
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

function* curvesOf(past: PastBars, codes: readonly string[], before: number): Steps<Map<number, ValueCurve>> {
  const { totals, leaders } = yield* dayTotals(past, codes, before);
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
  past: PastBars,
  stocks: ReadonlyMap<string, Stock>,
  date: string,
): Steps<SessionCurves[]> {
  const of = (funds: boolean): string[] =>
    [...stocks.values()].filter((stock) => isFund(stock) === funds).map(({ code }) => code);
  const before = dayOf(date);
  const shares = yield* curvesOf(past, of(false), before);
  const funds = yield* curvesOf(past, of(true), before);
  const none: ValueCurve = new Array<number>(CURVE_POINTS).fill(0);
  return [...shares]
    .filter(([day]) => !closesEarly(dateOf(day)))
    .sort(([a], [b]) => b - a)
    .slice(0, MAX_SESSIONS)
    .map(([day, curve]) => ({ shares: curve, funds: funds.get(day) ?? none }));
}
