import { fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { NoticeAction } from '#platform/push/rules/notice.ts';

const SNOOZE_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** A session begins with its pre-open: until then it is the day before. */
const SESSION_HOUR = 7;

/** When the next trading day's session begins, at 07:00 in Sydney; at most 24 hours ahead. @param now epoch ms */
function nextSession(now: number): number {
  const today = fromSydney(sydneyDate(now), SESSION_HOUR, 0);
  if (now < today) return today;
  // A day of the change to standard time has 25 hours.
  return Math.min(fromSydney(sydneyDate(now + DAY_MS), SESSION_HOUR, 0), now + DAY_MS);
}

/** Until when an alert is quiet after a button was pressed, epoch ms. */
export const quietUntil = (action: NoticeAction, now: number): number =>
  action === 'snooze' ? now + SNOOZE_MS : nextSession(now);
