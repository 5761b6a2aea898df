import { refusedFor } from '../../../../platform/http/errors.ts';
import type { Stopwatch } from '../../../../lib/clock.ts';
import { createRateLimit, waitText } from '../../../../lib/rateLimit.ts';

const MINUTE_MS = 60_000;

/**
 * Wrong codes, each counted before it is looked at: ten of an account at one address in a quarter of an hour; from
 * addresses that the account never logged in from also 30 an hour together. Only who knows the password comes so far,
 * and an address that the account knows is not kept out by what others do.
 */
export function createCodeLimit(clock: Stopwatch) {
  const byPair = createRateLimit({ clock, limit: 10, windowMs: 15 * MINUTE_MS });
  const byAccount = createRateLimit({ clock, limit: 30, windowMs: 60 * MINUTE_MS });
  return {
    /**
     * @param isKnown whether the account logged in from the address before
     * @returns what is called when the code was right
     * @throws AppError 429
     */
    begin(userId: number, address: string, isKnown: boolean): () => void {
      const [pair, account] = [`${userId}\n${address}`, String(userId)];
      let seconds = byPair.take(pair);
      if (seconds === 0 && !isKnown) {
        seconds = byAccount.take(account);
        if (seconds > 0) byPair.giveBack(pair);
      }
      if (seconds > 0)
        throw refusedFor(seconds, 429, `Too many wrong codes. Try again in ${waitText(seconds)}.`);
      return () => {
        byPair.forget(pair);
        if (!isKnown) byAccount.giveBack(account);
      };
    },
  };
}

export type CodeLimit = ReturnType<typeof createCodeLimit>;
