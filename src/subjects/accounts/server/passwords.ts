import { refusedFor, AppError } from '#platform/http/errors.ts';
import { type Caller, FairQueue, QueueFullError } from '#lib/fairQueue.ts';
import type { App } from '#platform/app.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import { accountStore, hasPassword, type UserRow } from './store.ts';

/** Password hashing, which is expensive on purpose; tests use a cheap one. */
export type Passwords = {
  /** @throws AppError 503 if too many callers wait */
  hash(password: string, caller: Caller): Promise<string>;
  /** @throws AppError 503 if too many callers wait */
  verify(password: string, hash: string, caller: Caller): Promise<boolean>;
};

const BUSY = 'The server is busy with other logins. Try again in a moment.';
const RETRY_SECONDS = 5;

/** The operator at the command line, whose process has its own queue. */
export const OPERATOR: Caller = { address: 'this machine', name: 'operator', rank: 0 };

type Hashing = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** argon2id with 19 MiB and two passes, as OWASP's password storage cheat sheet recommends. */
const ARGON2ID: Hashing = {
  hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 }),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/**
 * Hashes two at a time, because each run needs memory that a small board lacks. Callers at known addresses go first, then
 * those at addresses without recent failures.
 */
export function createPasswords(hashing: Hashing = ARGON2ID): Passwords {
  const queue = new FairQueue({ slots: 2, maxPerCaller: 20, maxWaiting: 64 });
  async function inTurn<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    try {
      return await queue.run(caller, work);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw refusedFor(RETRY_SECONDS, 503, BUSY, error);
    }
  }
  return {
    hash: (password, caller) => inTurn(caller, () => hashing.hash(password)),
    verify: (password, hash, caller) => inTurn(caller, () => hashing.verify(password, hash)),
  };
}

declare module '#platform/app.ts' {
  interface App {
    passwords: Passwords;
  }
}

const MAX_WRONG = 10;
const WINDOW_MS = 5 * 60_000;

/** The user to ask for the password again; the address is as returned by `addressKey`. */
export type AskedAgain = { userId: number; password: string; address: string };

/**
 * Asks a logged-in user for the password before an irreversible change. Allows ten wrong ones per account in five
 * minutes. Only the account's own sessions can try, so that others cannot lock it.
 * @returns a function that returns the account as of the check; it throws AppError 400 with the field for a wrong
 * password (not 401, which would end the session in the browser), 403 for an account without one, 429, 503
 */
export function createPasswordCheck({ clock, db, passwords }: App) {
  const store = accountStore(db);
  const wrong = createRateLimit({ clock, limit: MAX_WRONG, windowMs: WINDOW_MS });

  return async function checkPassword(
    { userId, password, address }: AskedAgain,
    field: string,
  ): Promise<UserRow> {
    const user = store.byId(userId);
    if (!user) throw new AppError(401, 'This account no longer exists. Please log in again.');
    if (!hasPassword(user)) throw new AppError(403, 'A demo account has no password.');
    const key = String(userId);
    const seconds = wrong.take(key);
    if (seconds > 0) {
      throw refusedFor(seconds, 429, `Too many wrong passwords. Try again in ${waitText(seconds)}.`);
    }
    let isRight: boolean;
    try {
      isRight = await passwords.verify(password, user.passwordHash, {
        address,
        name: `account ${userId}`,
        rank: 0,
      });
    } catch (error) {
      // The password was not checked, so the attempt does not count.
      wrong.refund(key);
      throw error;
    }
    if (!isRight) throw new AppError(400, { field, message: 'That is not your password.' });
    wrong.forget(key);
    return user;
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
