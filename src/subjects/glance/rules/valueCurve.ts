import { minuteOfKey } from '#market/rules/localTime.ts';

/** A session's traded value is kept by the end of each five minutes. */
export const CURVE_STEP_MINUTES = 5;
/** From 10:00, when the opening auction is over, until 16:30. */
export const CURVE_POINTS = 79;
/** An average needs at least so many sessions, and is of at most the last so many. */
export const MIN_SESSIONS = 3;
export const MAX_SESSIONS = 20;

const OPEN_MINUTE = 600;

/**
 * AUD that a market traded from the beginning of a session until 10:00 in Sydney and each five minutes after it; null where
 * that was not seen.
 */
export type ValueCurve = readonly (number | null)[];

/** The curves of one session: of shares, and of funds. */
export type SessionCurves = { shares: ValueCurve; funds: ValueCurve };

export const emptyCurve = (): (number | null)[] => new Array<number | null>(CURVE_POINTS).fill(null);

/** Minutes since 10:00 of a minute key's day; below zero before it. */
export const sinceOpen = (key: number): number => minuteOfKey(key) - OPEN_MINUTE;

/** The last point of a curve that is passed at this many minutes after 10:00; −1 before the first. */
export const pointAt = (minutes: number): number =>
  minutes < 0 ? -1 : Math.min(Math.floor(minutes / CURVE_STEP_MINUTES), CURVE_POINTS - 1);

/** The first point of a curve that counts what is traded in a minute, given in minutes after 10:00. */
export const pointAfter = (minute: number): number =>
  Math.min(Math.max(Math.ceil((minute + 1) / CURVE_STEP_MINUTES), 0), CURVE_POINTS - 1);

/** What sessions usually had traded by each point: their mean, AUD; null where fewer than three are known. */
export function meanCurve(curves: readonly ValueCurve[]): ValueCurve {
  return Array.from({ length: CURVE_POINTS }, (_one, point) => {
    const known = curves.map((curve) => curve[point] ?? null).filter((value) => value !== null);
    if (known.length < MIN_SESSIONS) return null;
    return Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  });
}

/**
 * What is usually traded by a moment, AUD: between two points of the curve on the straight line between them, after the last
 * one all of it.
 * @param minutes after 10:00 in Sydney, with their fraction
 * @returns null before 10:00, and where the curve is not known
 */
export function usualAt(curve: ValueCurve, minutes: number): number | null {
  const point = pointAt(minutes);
  if (point < 0) return null;
  const from = curve[point] ?? null;
  if (from === null || point === CURVE_POINTS - 1) return from;
  const until = curve[point + 1] ?? null;
  return until === null ? null : from + (until - from) * (minutes / CURVE_STEP_MINUTES - point);
}

/** Two curves together; null where one of them is not known. */
export const sumOfCurves = (a: ValueCurve, b: ValueCurve): ValueCurve =>
  a.map((value, point) => {
    const other = b[point] ?? null;
    return value === null || other === null ? null : value + other;
  });
