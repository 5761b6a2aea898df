import { secondFactorStore } from './secondFactor/codes.ts';
import { createAccountState } from './secondFactor/service.ts';
import { accountStore, type NewAccount, type UserRow } from './store.ts';
import type { AccountTools, DeletionListener } from './tools.ts';
import { type DemoAccount, demoAccount } from './demoAccounts.ts';
import type { AskedAgain } from './passwords.ts';
import { addAccount } from './register.ts';
import { openSession } from './sessions.ts';
import { createSetupToken, isSetupToken } from './setupLink.ts';

/** What other parts may do with accounts. */
export function createAccountsService(tools: AccountTools) {
  const { app, checkPassword, deletionListeners, notifier } = tools;
  const { stateOf, tell } = createAccountState(tools);
  return {
    /** @throws AppError 409 when the username or email is somebody's already */
    add: (account: NewAccount) => addAccount(app.db, app.clock, account),
    /** Whether a name is somebody's username or email. */
    isTaken: (name: string) => accountStore(app.db).isTaken(name),
    /**
     * Finds the demo account of a name or makes it, and gives it these rights.
     * @param address whose new demo accounts of the login page's button are counted, as `addressKey` makes it
     * @throws AppError 409 when the name is a registered account's, 429 for too many from the address
     */
    demoAccount: (account: DemoAccount, address: string) => demoAccount(tools, account, address),
    openSession: (user: UserRow) => openSession(app, notifier, user),
    /** Makes the one-time token of the first administrator; null when there is one already. */
    createSetupToken: () => createSetupToken(app),
    isSetupToken: (token: string): boolean => isSetupToken(app.db, token),
    hasAdministrator: (): boolean => accountStore(app.db).hasAdministrator(),
    /** The usernames of all accounts, the oldest first. */
    names: (): string[] =>
      accountStore(app.db)
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
    clearSecondFactor: (userId: number): boolean => secondFactorStore(app.db).remove(userId),
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
