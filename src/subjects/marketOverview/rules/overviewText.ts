import { formatDate, formatNumber, formatShort, formatSigned } from '#texts/format.ts';
import type { Totals } from './totals.ts';
import { MIN_SESSIONS, usualAt, type ValueCurve } from './valueCurve.ts';

/** A change: '+1.23%', with a true minus sign; a dash if unknown. @param change percent */
export const changeText = (change: number | null): string =>
  change === null ? formatSigned(null, 2) : `${formatSigned(change, 2)}%`;

export type Way = 'up' | 'down' | 'flat';

/** The direction of the displayed change, rounded to two decimals. */
export function wayOf(change: number | null): Way {
  if (change === null || Math.abs(change) < 0.005) return 'flat';
  return change > 0 ? 'up' : 'down';
}

/** Strength of a change from 0 to 4, for the depth of a colour, which always has a text next to it. */
export function strengthOf(change: number | null): 0 | 1 | 2 | 3 | 4 {
  const size = Math.abs(change ?? 0);
  if (wayOf(change) === 'flat') return 0;
  return size < 0.5 ? 1 : size < 1.5 ? 2 : size < 3 ? 3 : 4;
}

/** A short amount in AUD: '$3.2 B'. */
export const moneyText = (value: number): string => `$${formatShort(value)}`;

/** The usual curve, the number of its sessions, and the time in minutes after 10:00. */
export type Usual = { curve: ValueCurve; sessions: number; minutes: number };

export function usualText(value: number, usual: Usual | null): string {
  if (usual === null) return '';
  const { curve, sessions, minutes } = usual;
  if (sessions < MIN_SESSIONS) return `usual value after ${MIN_SESSIONS} sessions, ${sessions} so far`;
  if (minutes < 0) return 'compared from 10:00';
  const known = usualAt(curve, minutes);
  if (known === null || known <= 0) return 'no usual value for this time';
  return `${formatNumber((value / known) * 100, 0)}% of usual`;
}

/**
 * Explains which prices new highs and lows are compared with.
 * @param since the first stored daily bar, YYYY-MM-DD; null without any, undefined until known
 */
export function rangeText({ ranged, traded }: Totals, since: string | null | undefined): string {
  if (traded > 0 && ranged === 0) {
    return since === null
      ? 'New highs and lows: no earlier prices yet.'
      : 'New highs and lows: loading earlier prices…';
  }
  if (since === undefined || since === null)
    return 'New highs and lows: at or beyond the source’s 52-week range.';
  return `New highs and lows: beyond the prices kept since ${formatDate(since)}, or beyond the source’s 52-week range if it has one.`;
}
