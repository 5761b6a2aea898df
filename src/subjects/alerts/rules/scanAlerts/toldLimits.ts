import { cooldownMs } from '../cooldown.ts';
import type { ScanAlertInput } from './scanAlert.ts';

const MINUTE_MS = 60_000;

/** What happens of a stock that entered or left: a message of its own, a place in the sum, or nothing. */
export type Dealt = 'single' | 'summed' | 'held back';

type Firings = { count: number; coolUntil: number };

/**
 * Keeps the limits of one scan alert. Times are readings of a stopwatch, ms; a session's counts are begun again by anyone who
 * knows when one begins.
 */
export type ToldLimits = {
  /** Whether a stock that enters or leaves now would be told. */
  isOpen(symbol: string, now: number, limits: Limits): boolean;
  deal(symbol: string, now: number, limits: Limits): Dealt;
  /** When the minute that began with the first message is over; null while none runs. */
  endOfMinute(): number | null;
  /** The minute is over: the next message begins another. */
  endMinute(): void;
  /** Takes up what an earlier run told in this session. @param coolUntil a reading of the stopwatch */
  restore(symbol: string, count: number, coolUntil: number): void;
  /** A session begins: nothing was told in it yet. What was told just before goes on cooling down. */
  nextSession(now: number): void;
};

type Limits = Pick<ScanAlertInput, 'cooldownMinutes' | 'dayMaximum' | 'minuteMaximum'>;

export function createToldLimits(): ToldLimits {
  const told = new Map<string, Firings>();
  let minute: { until: number; singles: number } | null = null;

  function isOpen(symbol: string, now: number, { dayMaximum }: Limits): boolean {
    const known = told.get(symbol);
    return !known || (known.count < dayMaximum && now >= known.coolUntil);
  }

  return {
    isOpen,
    deal(symbol, now, limits) {
      if (!isOpen(symbol, now, limits)) return 'held back';
      told.set(symbol, {
        count: (told.get(symbol)?.count ?? 0) + 1,
        coolUntil: now + cooldownMs(limits.cooldownMinutes),
      });
      minute ??= { until: now + MINUTE_MS, singles: 0 };
      if (minute.singles >= limits.minuteMaximum) return 'summed';
      minute.singles += 1;
      return 'single';
    },
    endOfMinute: () => minute?.until ?? null,
    endMinute() {
      minute = null;
    },
    restore: (symbol, count, coolUntil) => void told.set(symbol, { count, coolUntil }),
    nextSession(now) {
      for (const [symbol, one] of told) {
        if (one.coolUntil > now) one.count = 0;
        else told.delete(symbol);
      }
    },
  };
}
