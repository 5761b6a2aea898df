import { MINUTE_MS, HOUR_MS, DAY_MS } from '#lib/units.ts';
import { readTime } from '../lib/read.ts';
import { DASH, formatNumber } from './format.ts';

/**
 * '21 Nov 2026, 10:42:07'.
 * @param time epoch ms or ISO 8601; a dash for anything else
 * @param timeZone the viewer's own if missing
 */
export function formatMoment(time: number | string | null | undefined, timeZone?: string): string {
  const known = readTime(time);
  if (known === null) return DASH;
  return new Intl.DateTimeFormat('en-AU', {
    ...(timeZone === undefined ? {} : { timeZone }),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(known);
}

const counted = (count: number, unit: string): string => `${formatNumber(count, 0)} ${unit} ago`;

/** 'just now', '5 min ago', '3 h ago', '12 days ago'. Future times, from a fast clock, are 'just now'. */
export function formatAge(ageMs: number): string {
  if (!(ageMs >= MINUTE_MS)) return 'just now';
  if (ageMs < HOUR_MS) return counted(Math.floor(ageMs / MINUTE_MS), 'min');
  if (ageMs < 2 * DAY_MS) return counted(Math.floor(ageMs / HOUR_MS), 'h');
  return counted(Math.floor(ageMs / DAY_MS), 'days');
}
