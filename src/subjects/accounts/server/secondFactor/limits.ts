import { refusedFor } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Wrong codes within a day after which the owner is notified, once a day. */
const NOTIFIED_AFTER = 5;

/** Called once a code is known to be right or wrong. Until then it counts as an attempt, without a notification. */
export type Attempt = { right(): void; wrong(): void };

/**
 * Wrong codes, each counted before it is looked at: ten of an account at one address in a quarter of an hour; from
 * addresses that the account never logged in from also 30 an hour together; 100 a day from those together, and from each
 * address that it knows. Only who knows the password comes so far, and an address that the account knows is not kept out
 * by what others do.
 * @param notify called after the fifth wrong code of an account, from wherever
 */
export function createCodeLimit(clock: Stopwatch, notify: (userId: number) => void) {
  const byPair = createRateLimit({ clock, limit: 10, windowMs: 15 * MINUTE_MS });
  const byAccount = createRateLimit({ clock, limit: 30, windowMs: 60 * MINUTE_MS });
  const byDay = createRateLimit({ clock, limit: 100, windowMs: DAY_MS });
  const beforeNotice = createRateLimit({ clock, limit: NOTIFIED_AFTER - 1, windowMs: DAY_MS });
  const notices = createRateLimit({ clock, limit: 1, windowMs: DAY_MS });

  const wrong = (account: string, userId: number): void => {
    if (beforeNotice.take(account) > 0 && notices.take(account) === 0) notify(userId);
  };
  return {
    /**
     * @param isKnown whether the account logged in from the address before
     * @throws AppError 429
     */
    begin(userId: number, address: string, isKnown: boolean): Attempt {
      const [pair, account] = [`${userId}\n${address}`, String(userId)];
      const limits = [
        { limit: byPair, key: pair },
        ...(isKnown ? [] : [{ limit: byAccount, key: account }]),
        { limit: byDay, key: isKnown ? pair : account },
      ];
      for (const [index, { limit, key }] of limits.entries()) {
        const seconds = limit.take(key);
        if (seconds === 0) continue;
        for (const taken of limits.slice(0, index)) taken.limit.giveBack(taken.key);
        throw refusedFor(seconds, 429, `Too many wrong codes. Try again in ${waitText(seconds)}.`);
      }
      return {
        right() {
          for (const { limit, key } of limits) limit.giveBack(key);
          byPair.forget(pair);
        },
        wrong: () => wrong(account, userId),
      };
    },
  };
}

export type CodeLimit = ReturnType<typeof createCodeLimit>;
