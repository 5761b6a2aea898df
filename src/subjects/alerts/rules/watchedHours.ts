import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';

/** A stretch of time, epoch ms: `since` inclusive, `until` exclusive. */
export type Span = { since: number; until: number };

const MINUTE_MS = 60_000;
/** Pre-Open of the market status begins at 08:45, 74 minutes before the opening auction. */
const PRE_OPEN_MS = 74 * MINUTE_MS;
/** A longer gap tells of a clock that was set. */
const MAX_DAYS = 60;

/**
 * The hours of a date in which alerts must see: from the opening auction to the end of the closing one.
 * @param date YYYY-MM-DD in Sydney
 * @returns null on a day without trading
 */
function hoursOf(date: string): Span | null {
  const phases = phasesOf(date);
  const open = phases.find(({ phase }) => phase === 'ospa');
  const end = phases.find(({ phase }) => phase === 'post-close');
  return open && end ? { since: open.since, until: end.since } : null;
}

/**
 * The hours of a moment in which alerts must see: from the opening auction to the end of the closing one; for a feed that
 * was there in this session already, from 08:45 on. A bridge that is started just before the open is not blind.
 * @param now epoch ms; @param lastSeen when the feed was there last, epoch ms; null when it never was
 * @returns null outside of them, on holidays and weekends
 */
export function watchedAt(now: number, lastSeen: number | null): Span | null {
  const date = sydneyDate(now);
  const hours = hoursOf(date);
  if (!hours || now >= hours.until) return null;
  if (now >= hours.since) return hours;
  const early = hours.since - PRE_OPEN_MS;
  const sessionBegan = phasesOf(date)[0]?.since ?? hours.since;
  return now >= early && lastSeen !== null && lastSeen >= sessionBegan
    ? { since: early, until: hours.until }
    : null;
}

/**
 * The hours between two moments in which alerts must see.
 * @returns when the first of them began, and how many ms there are in all; null when there are none
 */
export function watchedBetween(from: number, to: number): { since: number; ms: number } | null {
  let since: number | null = null;
  let ms = 0;
  let date = sydneyDate(from);
  for (let day = 0; day < MAX_DAYS; day += 1) {
    const hours = hoursOf(date);
    // On its own day the beginning lies within the hours, be it before the auction.
    const begin = hours && day === 0 && from >= hours.since - PRE_OPEN_MS ? from : (hours?.since ?? 0);
    const end = Math.min(to, hours?.until ?? 0);
    if (hours && end > begin) {
      since ??= begin;
      ms += end - begin;
    }
    date = addDays(date, 1);
    if (hours && hours.since > to) break;
  }
  return since === null ? null : { since, ms };
}
