import { readTime } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';

/** The snooze that is offered, in chats and in the browser. */
export const SNOOZE_MS = 3_600_000;
/** Texts name the hour alone. */
const MAX_SNOOZE_MS = 24 * 3_600_000;

/**
 * Checks until when an alert is to be quiet.
 * @param sent ISO 8601; null ends the snooze
 * @param now the wall clock, epoch ms
 * @returns epoch ms; null for no snooze
 */
export function checkSnooze(sent: unknown, now: number): Result<number | null> {
  if (sent === null) return ok(null);
  const until = typeof sent === 'string' && sent.length <= 40 ? readTime(sent) : null;
  if (until === null) return refuse('A snooze ends at a time like 2026-11-27T05:10:00Z.', 'snoozed_until');
  return until > now && until <= now + MAX_SNOOZE_MS
    ? ok(until)
    : refuse('An alert is snoozed for at most 24 hours from now.', 'snoozed_until');
}
