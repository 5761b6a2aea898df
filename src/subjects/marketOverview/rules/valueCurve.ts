import { minuteOfKey } from '#market/rules/localTime.ts';

/** Minutes between two points at which a session's traded value is stored. */
export const CURVE_STEP_MINUTES = 5;
/** Number of points: from 10:00, after the opening auction, to 16:30. */
export const CURVE_POINTS = 79;
/** Minimum and maximum number of sessions in an average. */
export const MIN_SESSIONS = 3;
export const MAX_SESSIONS = 20;

const OPEN_MINUTE = 600;

/** AUD traded from the session's start to 10:00 in Sydney and to each five minutes after; null if not observed. */
export type ValueCurve = readonly (number | null)[];

export type SessionCurves = { shares: ValueCurve; funds: ValueCurve };

export const emptyCurve = (): (number | null)[] => new Array<number | null>(CURVE_POINTS).fill(null);

/** Minutes after 10:00; negative before. */
export const sinceOpen = (key: number): number => minuteOfKey(key) - OPEN_MINUTE;

/** Index of the last point at or before this many minutes after 10:00; −1 before the first. */
export const pointAt = (minutes: number): number =>
  minutes < 0 ? -1 : Math.min(Math.floor(minutes / CURVE_STEP_MINUTES), CURVE_POINTS - 1);

/** Index of the first point that includes a minute, counted after 10:00. */
export const pointAfter = (minute: number): number =>
  Math.min(Math.max(Math.ceil((minute + 1) / CURVE_STEP_MINUTES), 0), CURVE_POINTS - 1);

/** The mean in AUD at each point; null if there are fewer than three sessions. */
export function meanCurve(curves: readonly ValueCurve[]): ValueCurve {
  return Array.from({ length: CURVE_POINTS }, (_one, point) => {
    const known = curves.map((curve) => curve[point] ?? null).filter((value) => value !== null);
    if (known.length < MIN_SESSIONS) return null;
    return Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  });
}

/**
 * AUD usually traded by a time, interpolated linearly; the whole session's after the last point.
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
