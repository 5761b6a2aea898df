import { minuteOfKey } from '#market/rules/localTime.ts';

/** A session's traded value is stored at the end of each five minutes. */
export const CURVE_STEP_MINUTES = 5;
/** From 10:00, after the opening auction, to 16:30. */
export const CURVE_POINTS = 79;
/** Sessions of an average, minimum and maximum. */
export const MIN_SESSIONS = 3;
export const MAX_SESSIONS = 20;

const OPEN_MINUTE = 600;

/** AUD traded from the session's start until 10:00 in Sydney and each five minutes after; null if not observed. */
export type ValueCurve = readonly (number | null)[];

export type SessionCurves = { shares: ValueCurve; funds: ValueCurve };

export const emptyCurve = (): (number | null)[] => new Array<number | null>(CURVE_POINTS).fill(null);

/** Minutes since 10:00; negative before. */
export const sinceOpen = (key: number): number => minuteOfKey(key) - OPEN_MINUTE;

/** The last point at or before this many minutes after 10:00; −1 before the first. */
export const pointAt = (minutes: number): number =>
  minutes < 0 ? -1 : Math.min(Math.floor(minutes / CURVE_STEP_MINUTES), CURVE_POINTS - 1);

/** The first point that includes a minute, in minutes after 10:00. */
export const pointAfter = (minute: number): number =>
  Math.min(Math.max(Math.ceil((minute + 1) / CURVE_STEP_MINUTES), 0), CURVE_POINTS - 1);

/** The mean in AUD at each point; null with fewer than three sessions. */
export function meanCurve(curves: readonly ValueCurve[]): ValueCurve {
  return Array.from({ length: CURVE_POINTS }, (_one, point) => {
    const known = curves.map((curve) => curve[point] ?? null).filter((value) => value !== null);
    if (known.length < MIN_SESSIONS) return null;
    return Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  });
}

/**
 * AUD usually traded by a time, interpolated linearly; after the last point all of it.
 * @param minutes after 10:00 in Sydney, with a fraction
 * @returns null before 10:00, and if unknown
 */
export function usualAt(curve: ValueCurve, minutes: number): number | null {
  const point = pointAt(minutes);
  if (point < 0) return null;
  const from = curve[point] ?? null;
  if (from === null || point === CURVE_POINTS - 1) return from;
  const until = curve[point + 1] ?? null;
  return until === null ? null : from + (until - from) * (minutes / CURVE_STEP_MINUTES - point);
}

export const sumOfCurves = (a: ValueCurve, b: ValueCurve): ValueCurve =>
  a.map((value, point) => {
    const other = b[point] ?? null;
    return value === null || other === null ? null : value + other;
  });
