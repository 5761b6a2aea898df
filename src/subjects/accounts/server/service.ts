import type { AccountNotifier } from '../rules/accountRules.ts';
import { createAccountState } from './accountState.ts';
import { type DemoAccount, demoAccount } from './demoAccounts.ts';
import type { LoginDeps } from './login.ts';
import type { DeletionListener } from './own/deps.ts';
import type { AskedAgain, PasswordCheck } from './passwordCheck.ts';
import { addAccount } from './register.ts';
import type { Registrations } from './registrations.ts';
import { openSession } from './sessions.ts';
import { createSetupToken, isSetupToken } from './setupToken.ts';
import { accountStore, type NewAccount, type UserRow } from './store.ts';
import { secondFactorStore } from './secondFactor/store.ts';

export type AccountsServiceDeps = LoginDeps & {
  notifier: AccountNotifier;
  /** Whether administrators need two-factor login. */
  adminTotp: boolean;
};

type ServiceDeps = AccountsServiceDeps & {
  checkPassword: PasswordCheck;
  registrations: Registrations;
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
    /**
     * Finds the demo account of a name or makes it, and gives it these rights.
     * @param address whose new demo accounts of the login page's button are counted, as `addressKey` makes it
     * @throws AppError 409 when the name is a registered account's, 429 for too many from the address
     */
    demoAccount: (account: DemoAccount, address: string) => demoAccount(deps, account, address),
    openSession: (user: UserRow) => openSession(deps, user),
    /** Makes the one-time token of the first administrator; null when there is one already. */
    createSetupToken: () => createSetupToken(deps),
    isSetupToken: (token: string): boolean => isSetupToken(deps, token),
    hasAdministrator: (): boolean => accountStore(deps.db).hasAdministrator(),
    /** The usernames of all accounts, the oldest first. */
    names: (): string[] =>
      accountStore(deps.db)
        .list()
        .map(({ username }) => username),
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
