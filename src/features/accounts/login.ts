import type { LoginInput } from '../../domain/accounts/accountRules.ts';
import { MESSAGES } from '../../domain/messages.ts';
import { AppError } from '../../http/errors.ts';
import type { Passwords } from './passwords.ts';
import { type OpenedSession, openSession, type SessionDeps } from './sessions.ts';
import { accountStore, NO_PASSWORD } from './store.ts';

export type LoginDeps = SessionDeps & { passwords: Passwords };

/**
 * Login by username or email. An unknown name costs the same time as a wrong password, so that names can't be
 * found out.
 *
 * @returns a function from what `checkLogin` gave to a new session; it throws AppError 401 with one sentence for an
 *   unknown name and for a wrong password
 */
export function createLogin(deps: LoginDeps): (input: LoginInput) => Promise<OpenedSession> {
  const store = accountStore(deps.db);
  let decoy: Promise<string> | undefined;
  /** The hash that a password is compared with where no account has the name; made again when that failed. */
  const decoyHash = (): Promise<string> =>
    (decoy ??= deps.passwords.hash(deps.randomToken()).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    }));
  return async ({ identifier, password }) => {
    const user = store.find(identifier);
    // Waited for in any case: the first login takes longer by it, whoever it is.
    const other = await decoyHash();
    const hash = user && user.passwordHash !== NO_PASSWORD ? user.passwordHash : other;
    const isRight = await deps.passwords.verify(password, hash);
    // Read again: the password may have been changed while it was being compared.
    const current = user && store.byId(user.id);
    if (!isRight || current?.passwordHash !== hash) throw new AppError(401, MESSAGES.login.invalid);
    return openSession(deps, current);
  };
}
