import { AppError } from '../../http/errors.ts';
import type { Caller } from '../../lib/fairQueue.ts';
import { createLoginLimits } from './limits.ts';
import type { LoginDeps } from './login.ts';
import { accountStore, NO_PASSWORD } from './store.ts';

/** Not 401, which ends the session in a browser: the person is logged in. */
const WRONG = 'That is not your password.';

/** Asks somebody who is logged in for the password again. @throws AppError 403 when it is wrong, 429, 503 */
export type ConfirmPassword = (userId: number, password: string, address: string) => Promise<void>;

/**
 * For what a session alone must not be enough for: a browser may have been left open. Wrong passwords are limited as at the
 * login, apart from it.
 *
 * @returns a function of the caller's id, what was typed, and the caller's address as `addressKey` makes it
 */
export function createConfirmPassword(deps: Pick<LoginDeps, 'db' | 'clock' | 'passwords'>): ConfirmPassword {
  const store = accountStore(deps.db);
  const limits = createLoginLimits(deps.clock);
  return async (userId, password, address) => {
    const caller: Caller = { address, name: `account ${userId}`, rank: 0 };
    const attempt = limits.begin(caller, true);
    const hash = store.byId(userId)?.passwordHash ?? NO_PASSWORD;
    let isRight: boolean;
    try {
      isRight =
        hash !== NO_PASSWORD && password !== '' && (await deps.passwords.verify(password, hash, caller));
    } catch (error) {
      attempt.abandon();
      throw error;
    }
    if (isRight && store.byId(userId)?.passwordHash === hash) return attempt.succeed();
    attempt.fail();
    throw new AppError(403, { field: 'password', message: WRONG });
  };
}
