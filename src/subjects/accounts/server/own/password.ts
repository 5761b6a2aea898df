import type { PasswordChange } from '../../rules/ownAccount.ts';
import { AppError } from '../../../../platform/http/errors.ts';
import { sessionStore } from '../sessionStore.ts';
import { accountStore } from '../store.ts';
import type { OwnDeps, Self } from './deps.ts';

const OVERTAKEN = 'Your password or your login session was changed elsewhere meanwhile. Log in again.';

/**
 * Sets a new password and ends the person's other login sessions; the one that asks goes on.
 *
 * @param change as `checkPasswordChange` let it pass
 * @throws AppError 400 for a wrong current password, 401 when another change came first, 403, 429, 503
 */
export async function changePassword(deps: OwnDeps, self: Self, change: PasswordChange): Promise<void> {
  const { db, clock, passwords, notifier } = deps;
  const { userId, sessionId, address } = self;
  const { currentPassword, newPassword } = change;
  const known = await deps.checkPassword({ userId, password: currentPassword, address }, 'currentPassword');
  const caller = { address, name: `account ${userId}`, rank: 0 } as const;
  const passwordHash = await passwords.hash(newPassword, caller);
  const store = accountStore(db);
  const sessions = sessionStore(db);
  store.inTransaction(() => {
    // Looked at again: hashing takes a while.
    const isSame = store.byId(userId)?.passwordHash === known.passwordHash;
    const isGood = sessions.goodOf(userId, clock.now()).some(({ id }) => id === sessionId);
    if (!isSame || !isGood) throw new AppError(401, OVERTAKEN);
    store.update(userId, { passwordHash });
    sessions.revokeOthers(userId, sessionId, clock.now());
  });
  notifier.sessionsEnded(userId);
}
