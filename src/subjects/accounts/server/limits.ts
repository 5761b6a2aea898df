import { MINUTE_MS, DAY_MS } from '#lib/units.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { Caller } from '#lib/fairQueue.ts';
import { createRateLimit, type RateLimit, waitText } from '#lib/rateLimit.ts';
import { keyedHash } from '#lib/secrets.ts';
import type { Db } from '#platform/db/open.ts';
import type { App } from '#platform/app.ts';
import { asc, gt, lte } from 'drizzle-orm';
import { registrations } from '#platform/db/schema.ts';

/** @throws AppError 429 with `Retry-After` */
function refuseTooMany(what: string, seconds: number): void {
  if (seconds === 0) return;
  throw refusedFor(seconds, 429, `Too many ${what}. Try again in ${waitText(seconds)}.`);
}

type LimitUse = { limit: RateLimit; key: string };

function refund(used: readonly LimitUse[]): void {
  for (const { limit, key } of used) limit.refund(key);
}

/** Counts one attempt in all limits, or in none. @returns seconds to wait; 0 if allowed */
function countAll(limits: readonly LimitUse[]): number {
  for (const [index, { limit, key }] of limits.entries()) {
    const wait = limit.take(key);
    if (wait === 0) continue;
    refund(limits.slice(0, index));
    return wait;
  }
  return 0;
}

type LoginAttempt = {
  succeed(): void;
  fail(): void;
  /** Call it if the password was not checked. */
  abandon(): void;
};

/**
 * Limits of login attempts. A name without an account counts like one with an account.
 * - Per account and address: 10 wrong passwords in 5 minutes, 60 correct ones in 15 minutes.
 * - If the account never logged in from the address, also 50 wrong passwords per address and 100 per account in 15
 * minutes. Known addresses skip these, so that an attacker cannot lock the owner out.
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

  /** Whether a wrong password recently came from an address, or one is being checked. */
  isSuspect(address: string): boolean {
    return this.wrongByAddress.isUsed(address);
  }

  /** @param isKnown whether the account logged in from the address before @throws AppError 429 */
  begin({ address, name }: Omit<Caller, 'rank'>, isKnown: boolean): LoginAttempt {
    const pair = `${name}\n${address}`;
    const right = { limit: this.rightByPair, key: pair };
    const wrong = [{ limit: this.wrongByPair, key: pair }];
    if (!isKnown)
      wrong.push({ limit: this.wrongByAddress, key: address }, { limit: this.wrongByName, key: name });
    refuseTooMany('login attempts', countAll([right, ...wrong]));
    return {
      succeed: () => {
        refund(wrong);
        this.wrongByPair.forget(pair);
      },
      fail: () => refund([right]),
      abandon: () => refund([right, ...wrong]),
    };
  }
}

/** Accounts that one address may create in a day, enough for an office or a class. */
const MAX_ACCOUNTS_A_DAY = 20;

/**
 * Limits registrations of one address to 40 tries in 15 minutes and 20 accounts in a day.
 * @returns `begin` counts one and returns a function to call if no account was created; it throws AppError 429. `note`
 * counts an account that an earlier run created this many ms ago
 */
function createRegistrationLimit(clock: Stopwatch) {
  const tries = createRateLimit({ clock, limit: 40, windowMs: 15 * MINUTE_MS });
  const accounts = createRateLimit({ clock, limit: MAX_ACCOUNTS_A_DAY, windowMs: DAY_MS });
  return {
    begin(address: string): () => void {
      refuseTooMany('registrations', tries.take(address));
      const seconds = accounts.take(address);
      if (seconds > 0) {
        const message = `At most ${MAX_ACCOUNTS_A_DAY} accounts per day can be created from one address. Try again in ${waitText(seconds)}, or ask an administrator for an account.`;
        throw refusedFor(seconds, 429, message);
      }
      return () => accounts.refund(address);
    },
    note: accounts.note,
  };
}

/** SQL of recent registrations by address. Times are epoch ms. */
const registrationStore = (db: Db) => ({
  add: (addressHash: string, registeredAt: number): void => {
    db.insert(registrations).values({ addressHash, registeredAt }).run();
  },

  /** Registrations since a time, oldest first. */
  since: (time: number): { addressHash: string; registeredAt: number }[] =>
    db
      .select()
      .from(registrations)
      .where(gt(registrations.registeredAt, time))
      .orderBy(asc(registrations.registeredAt))
      .all(),

  dropUntil: (time: number): number =>
    db
      .delete(registrations)
      .where(lte(registrations.registeredAt, time))
      .returning({ at: registrations.registeredAt })
      .all().length,
});

export type Registrations = {
  /** Counts a registration. @returns a function to call if no account was created @throws AppError 429 */
  begin(address: string): () => void;
  /** Stores that an address created an account; call it in the transaction that creates it. */
  keep(address: string): void;
  /** Drops entries older than a day. @returns the number dropped */
  dropExpired(): number;
};

/**
 * Counts the accounts that addresses create in a day. The count is in memory; a stored row per account restores it
 * after a restart. Addresses are stored for a day as keyed hashes. All addresses are as returned by `addressKey`.
 */
export function createRegistrations({ clock, db, jwtSecret }: App): Registrations {
  const store = registrationStore(db);
  const hashOf = (address: string): string => keyedHash(jwtSecret, `registration\n${address}`, 'base64url');
  const dayBefore = (): number => clock.now() - DAY_MS;
  let limit: ReturnType<typeof createRegistrationLimit> | undefined;

  /** A limit that includes earlier runs. A time in the future is from before the clock was set back. */
  function withEarlier(): ReturnType<typeof createRegistrationLimit> {
    const made = createRegistrationLimit(clock);
    const now = clock.now();
    for (const { addressHash, registeredAt } of store.since(dayBefore()))
      made.note(addressHash, Math.max(0, now - registeredAt));
    return made;
  }

  return {
    begin: (address) => (limit ??= withEarlier()).begin(hashOf(address)),
    keep: (address) => store.add(hashOf(address), clock.now()),
    dropExpired: () => store.dropUntil(dayBefore()),
  };
}
