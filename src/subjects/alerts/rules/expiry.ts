import { readTime } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { formatMoment } from '#texts/format.ts';

/** Latest expiry. For longer, users choose no end. */
const MAX_AHEAD_MS = 2 * 366 * 24 * 60 * 60 * 1000;

/** '27 Nov 2026 16:10 Sydney'. @param at epoch ms */
export function expiryText(at: number): string {
  const moment = formatMoment(at);
  return `${moment.slice(0, -6)} ${sydneyDate(at).slice(0, 4)} ${moment.slice(-5)} Sydney`;
}

export const expiredReason = (at: number): string => `It expired on ${expiryText(at)}.`;

/** Checks an expiry. @param sent ISO 8601 with its zone; null for never @returns epoch ms; null for never */
export function checkExpiry(sent: unknown, now: number): Result<number | null> {
  if (sent === undefined || sent === null) return ok(null);
  const isMoment =
    typeof sent === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(sent);
  const at = isMoment ? readTime(sent) : null;
  if (at === null) {
    return refuse('The expiry must be a time like 2026-11-27T16:10:00+11:00, or null.', 'expires_at');
  }
  if (at <= now) return refuse('Choose an expiry time in the future.', 'expires_at');
  if (at > now + MAX_AHEAD_MS) return refuse('Choose an expiry within two years, or none.', 'expires_at');
  return ok(at);
}
