import { refusedFor, AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import { accountStore, hasPassword, type UserRow } from './store.ts';

const MAX_WRONG = 10;
const WINDOW_MS = 5 * 60_000;

/** Whose password is asked for again, and from which address (as `addressKey` makes it). */
export type AskedAgain = { userId: number; password: string; address: string };

/**
 * Asks a signed-in person for the password again, before what can't be undone. Ten wrong ones of an account in five
 * minutes, from wherever; the account's own login sessions are all that may try, so nobody else is kept out by it.
 *
 * @returns a function that gives the account as it was when the password was right. It throws AppError 400 with the
 *   field for a wrong password (not 401, which ends the session in the browser), 403 for an account without one,
 *   429 after too many, 503 when too many log in at once
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
      // Nobody looked at it.
      wrong.giveBack(key);
      throw error;
    }
    if (!isRight) throw new AppError(400, { field, message: 'That is not your password.' });
    wrong.forget(key);
    return user;
  };
}

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;
