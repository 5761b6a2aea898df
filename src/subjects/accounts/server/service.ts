import type { AccountNotifier } from '../rules/accountState.ts';
import { createAccountState } from './accountState.ts';
import type { LoginDeps } from './login.ts';
import type { DeletionListener } from './own/deps.ts';
import type { AskedAgain, PasswordCheck } from './passwordCheck.ts';
import { addAccount } from './register.ts';
import { openSession } from './sessions.ts';
import { createSetupToken, isFreshServer } from './setupToken.ts';
import { accountStore, type NewAccount, type UserRow, NO_PASSWORD } from './store.ts';
import type { Db } from '../../../platform/db/open.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Clock } from '../../../lib/clock.ts';
import { secondFactorStore } from './secondFactor/store.ts';
import { sessionStore } from './sessionStore.ts';

const NOT_A_DEMO = 'That name belongs to a registered account. Choose another name for the demo user.';

/**
 * Finds the demo account of a name or makes it, and gives it these rights. No password opens it.
 *
 * @throws AppError 409 when the name is a registered account's
 */
function demoAccount(
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

export type AccountsServiceDeps = LoginDeps & {
  notifier: AccountNotifier;
  /** Whether administrators need two-factor login. */
  adminTotp: boolean;
};

type ServiceDeps = AccountsServiceDeps & {
  checkPassword: PasswordCheck;
  deletionListeners: DeletionListener[];
};

/** What other parts may do with accounts. */
export function createAccountsService(deps: ServiceDeps) {
  const { checkPassword, deletionListeners } = deps;
  const { stateOf, tell } = createAccountState(deps);
  return {
    /** @throws AppError 409 when the username or email is somebody's already */
    add: (account: NewAccount) => addAccount(deps, account),
    /** Whether a name is somebody's username or email. */
    isTaken: (name: string) => accountStore(deps.db).isTaken(name),
    /** @throws AppError 409 when the name is a registered account's */
    demoAccount: (account: Parameters<typeof demoAccount>[1]) => demoAccount(deps, account),
    openSession: (user: UserRow) => openSession(deps, user),
    /** Makes the one-time token of the first administrator; null when there is one already. */
    createSetupToken: () => createSetupToken(deps),
    isFreshServer: (token: string): boolean => isFreshServer(deps, token),
    /** A user's account as it stands; null when it was deleted. */
    stateOf,
    /**
     * To be called after the commit of whatever changed a user's rights, plan or request: every open window of theirs
     * shows it at once.
     */
    accountChanged: tell,
    /** Clears somebody's second factor; call it in a transaction. @returns whether one was on */
    clearSecondFactor: (userId: number): boolean => secondFactorStore(deps.db).remove(userId),
    /** Has it called whenever an account is deleted. */
    onDeletion: (...listeners: readonly DeletionListener[]): void =>
      void deletionListeners.push(...listeners),
    /**
     * Asks a signed-in person for the password again.
     * @param field the form's name for it
     * @throws AppError 400 for a wrong one, 403 for an account without one, 429, 503
     */
    checkPassword: (asked: AskedAgain, field = 'password') => checkPassword(asked, field),
  };
}

export type Accounts = ReturnType<typeof createAccountsService>;
