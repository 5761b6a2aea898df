import { checkCount } from './scanAlerts/scanAlertRules.ts';
import type { CountRange } from './scanAlerts/scanAlert.ts';
import type { Result } from '#lib/result.ts';

const MINUTE_MS = 60_000;

/**
 * How long a persistent alert stays quiet after it fires, in minutes: 60 s by the specification (section 9), unless its
 * owner raises it, to one session at most.
 */
export const ALERT_COOLDOWN: CountRange = { least: 1, most: 390, start: 1 };

export const cooldownMs = (minutes: number): number => minutes * MINUTE_MS;

/** Checks the cooldown of an alert on a stock, in minutes. */
export const checkCooldown = (sent: unknown): Result<number> =>
  checkCount(
    sent,
    'cooldown_minutes',
    'The time for which an alert is quiet after it fired, in minutes,',
    ALERT_COOLDOWN,
  );

/**
 * When what was told in an earlier run has cooled down, as a reading of the stopwatch. What was told in the future was told
 * before the clock was set back: its cooldown begins again.
 * @param toldAt epoch ms by the wall clock; @param coolMs how long it cools down
 */
export const cooledAt = (
  toldAt: number,
  coolMs: number,
  { wall, monotonic }: { wall: number; monotonic: number },
): number => monotonic + coolMs - Math.max(0, wall - toldAt);
