import { eq } from 'drizzle-orm';
import { users } from '#platform/db/schema.ts';
import { accountKey, formerName } from '#subjects/accounts/rules/accountRules.ts';
import { AppError } from '#platform/http/errors.ts';
import { type AccountStore, accountStore, DELETED, type UserRow } from '../store.ts';
import type { AccountTools, Self } from '../tools.ts';
import { withCodeIfOn } from '../secondFactor/service.ts';
import { PERSONAL_TABLES } from './personalTables.ts';

const LAST_ADMINISTRATOR =
  'You are the only administrator. Make another user an administrator before you delete your account.';

/** A name that is not used and does not identify the person. */
function freeFormerName(store: AccountStore, userId: number): string {
  for (let attempt = 1; ; attempt += 1) {
    const name = formerName(userId, attempt);
    if (!store.isTaken(name)) return name;
  }
}

const formerUser = (username: string, now: number): Partial<UserRow> => ({
  username,
  usernameKey: accountKey(username),
  usernameSkeleton: null,
  email: null,
  emailKey: null,
  passwordHash: DELETED,
  isAdmin: false,
  subscriptionType: 'free',
  requestedSubscriptionType: null,
  upgradeRequestedAt: null,
  upgradeDeclinedReason: null,
  quoteLink: 'none',
  columnPreferences: {},
  adminMessagesOnDevices: true,
  promptTokens: 0,
  completionTokens: 0,
  deletedAt: now,
});

/**
 * Removes an account. Its calls stay under a neutral name without rationales, and so does the audit of its
 * administration. Call it in a transaction.
 * @returns the work for after that transaction
 */
export function removeAccount(tools: AccountTools, userId: number): () => void {
  const {
    app: { clock, db },
    deletionListeners,
    notifier,
  } = tools;
  const afterwards = deletionListeners.map((listener) => listener(userId));
  for (const { table, isDeleted } of PERSONAL_TABLES) {
    if (isDeleted) db.delete(table).where(eq(table.userId, userId)).run();
  }
  const username = freeFormerName(accountStore(db), userId);
  db.update(users).set(formerUser(username, clock.now())).where(eq(users.id, userId)).run();
  return () => {
    for (const work of afterwards) work();
    notifier.sessionsEnded(userId);
  };
}

/**
 * Deletes an account in one transaction, after checking the password and, with two-factor login, a code. The username and
 * email become available.
 * @throws AppError 400 for a wrong password or code, 401 if the account changed during the check, 403, 409 for the only
 *   administrator, 429, 503
 */
export async function deleteAccount(
  tools: AccountTools,
  self: Self,
  { password, code }: { password: string; code: string | null },
): Promise<void> {
  const { userId, address } = self;
  const known = await tools.checkPassword({ userId, password, address }, 'password');
  const store = accountStore(tools.app.db);
  const work = (): (() => void) => {
    const user = store.byId(userId);
    if (user?.passwordHash !== known.passwordHash) {
      throw new AppError(401, 'Your account was changed in another window. Log in again.');
    }
    if (user.isAdmin && !store.hasAdministrator(userId)) throw new AppError(409, LAST_ADMINISTRATOR);
    return removeAccount(tools, userId);
  };
  const finish = await withCodeIfOn(tools, self, { code, work });
  finish();
}
