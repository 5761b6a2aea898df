import type { Db } from '../../../platform/db/open.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sessionStore } from './sessionStore.ts';
import { accountStore, type NewAccount, NO_PASSWORD, type UserRow } from './store.ts';

const NOT_A_DEMO = 'That name belongs to a registered account. Choose another name for the demo user.';

/**
 * Finds the demo account of a name or makes it, and gives it these rights. No password opens it.
 *
 * @throws AppError 409 when the name is a registered account's
 */
export function demoAccount(
  deps: { db: Db; clock: Clock },
  account: Required<Pick<NewAccount, 'username' | 'isAdmin' | 'subscriptionType'>>,
): UserRow {
  const store = accountStore(deps.db);
  return store.inTransaction(() => {
    const known = store.find(account.username);
    if (known && known.passwordHash !== NO_PASSWORD) {
      throw new AppError(409, { field: 'username', message: NOT_A_DEMO });
    }
    const user =
      known ?? store.insert({ ...account, email: null, passwordHash: NO_PASSWORD }, deps.clock.now());
    const { isAdmin, subscriptionType } = account;
    store.update(user.id, { isAdmin, subscriptionType });
    return { ...user, isAdmin, subscriptionType };
  });
}

/** Ends the sessions of all demo accounts: a server without test mode must not let them in. */
export function retireDemoAccounts({ db, clock }: { db: Db; clock: Clock }): void {
  const sessions = sessionStore(db);
  for (const user of accountStore(db).demoAccounts()) sessions.revokeAllOf(user.id, clock.now());
}
