import { refusedFor } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Caller } from '#lib/fairQueue.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';

const MINUTE_MS = 60_000;

/** @throws AppError 429 with `Retry-After` */
function refuseTooMany(what: string, seconds: number): void {
  if (seconds === 0) return;
  throw refusedFor(seconds, 429, `Too many ${what}. Try again in ${waitText(seconds)}.`);
}

type Taken = { limit: RateLimit; key: string };

function giveBack(taken: readonly Taken[]): void {
  for (const { limit, key } of taken) limit.giveBack(key);
}

/** Counts one attempt by all limits, or by none. @returns seconds to wait; 0 when it may go on */
function takeAll(limits: readonly Taken[]): number {
  for (const [index, { limit, key }] of limits.entries()) {
    const wait = limit.take(key);
    if (wait === 0) continue;
    giveBack(limits.slice(0, index));
    return wait;
  }
  return 0;
}

/** One login under way; it says how it ended. */
type LoginAttempt = {
  /** The password was right. */
  succeed(): void;
  /** The password was wrong. */
  fail(): void;
  /** Nobody knows: the server could not look. */
  abandon(): void;
};

/**
 * What one address may try at one account, an address at all, and everybody together at one account. A name that no
 * account has is counted like one that has.
 *
 * - A pair of account and address: ten wrong passwords in five minutes, and 60 right ones in a quarter of an hour.
 * - Where the account never logged in before, also 50 wrong passwords from the address and 100 at the account in a
 *   quarter of an hour. Where it did, nobody else's attempts count: else anybody could keep a person out for ever.
 */
export class LoginLimits {
  private readonly wrongByPair: RateLimit;
  private readonly wrongByAddress: RateLimit;
  private readonly wrongByName: RateLimit;
  private readonly rightByPair: RateLimit;

  constructor(clock: Stopwatch) {
    const limit = (most: number, minutes: number): RateLimit =>
      createRateLimit({ clock, limit: most, windowMs: minutes * MINUTE_MS });
    this.wrongByPair = limit(10, 5);
    this.wrongByAddress = limit(50, 15);
    this.wrongByName = limit(100, 15);
    this.rightByPair = limit(60, 15);
  }

  /** Whether a wrong password came from an address lately, or one is being looked at. */
  isSuspect(address: string): boolean {
    return this.wrongByAddress.isUsed(address);
  }

  /**
   * Counts a login until it ends.
   *
   * @param isKnown whether the account logged in from the address before
   * @throws AppError 429 when there were too many
   */
  begin({ address, name }: Omit<Caller, 'rank'>, isKnown: boolean): LoginAttempt {
    const pair = `${name}\n${address}`;
    const right = { limit: this.rightByPair, key: pair };
    const wrong = [{ limit: this.wrongByPair, key: pair }];
    if (!isKnown)
      wrong.push({ limit: this.wrongByAddress, key: address }, { limit: this.wrongByName, key: name });
    refuseTooMany('login attempts', takeAll([right, ...wrong]));
    return {
      succeed: () => {
        giveBack(wrong);
        this.wrongByPair.forget(pair);
      },
      fail: () => giveBack([right]),
      abandon: () => giveBack([right, ...wrong]),
    };
  }
}

/** Accounts that one address may make in a day: an office or a class, but not two hundred. */
const MAX_ACCOUNTS_A_DAY = 20;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * What one address may register: 40 tries in a quarter of an hour, and 20 accounts in a day.
 *
 * @returns `begin`: counts one, and gives what is called when no account came of it; it throws AppError 429 when there were
 *   too many. `note`: counts an account that an earlier run made this many ms ago
 */
export function createRegistrationLimit(clock: Stopwatch) {
  const tries = createRateLimit({ clock, limit: 40, windowMs: 15 * MINUTE_MS });
  const accounts = createRateLimit({ clock, limit: MAX_ACCOUNTS_A_DAY, windowMs: DAY_MS });
  return {
    begin(address: string): () => void {
      refuseTooMany('registrations', tries.take(address));
      const seconds = accounts.take(address);
      if (seconds > 0) {
        const message = `At most ${MAX_ACCOUNTS_A_DAY} accounts a day can be made from one address. Try again in ${waitText(seconds)}, or ask an administrator for an account.`;
        throw refusedFor(seconds, 429, message);
      }
      return () => accounts.giveBack(address);
    },
    note: accounts.note,
  };
}
