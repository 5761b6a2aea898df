import { secondFactorStore } from './secondFactor/codes.ts';
import { createAccountState } from './secondFactor/service.ts';
import { accountStore, type NewAccount, type UserRow } from './store.ts';
import type { AccountTools, DeletionListener } from './tools.ts';
import { type DemoAccount, demoAccount } from './demoAccounts.ts';
import type { AskedAgain } from './passwords.ts';
import { addAccount } from './register.ts';
import { openSession } from './sessions.ts';
import { createSetupToken, isSetupToken } from './setupLink.ts';

export function createAccountsService(tools: AccountTools) {
  const { app, checkPassword, deletionListeners, notifier } = tools;
  const { stateOf, notify } = createAccountState(tools);
  return {
    /** @throws AppError 409 if the username or email is taken */
    add: (account: NewAccount) => addAccount(app.db, app.clock, account),
    isTaken: (name: string) => accountStore(app.db).isTaken(name),
    demoAccount: (account: DemoAccount, address: string) => demoAccount(tools, account, address),
    openSession: (user: UserRow) => openSession(app, notifier, user),
    /** Creates the one-time token for registering the first administrator; null if there is an administrator. */
    createSetupToken: () => createSetupToken(app),
    isSetupToken: (token: string): boolean => isSetupToken(app.db, token),
    /** @param otherThan a user's id */
    hasAdministrator: (otherThan?: number): boolean => accountStore(app.db).hasAdministrator(otherThan),
    names: (): string[] =>
      accountStore(app.db)
        .list()
        .map(({ username }) => username),
    stateOf,
    /** Updates open windows; call it after the commit of a change to a user's rights, plan or request. */
    accountChanged: notify,
    /** Removes a second factor; call it in a transaction. @returns whether it was active */
    clearSecondFactor: (userId: number): boolean => secondFactorStore(app.db).remove(userId),
    onDeletion: (...listeners: readonly DeletionListener[]): void =>
      void deletionListeners.push(...listeners),
    /**
     * Asks a logged-in user for the password again.
     * @param field name of the form field
     * @throws AppError 400 for a wrong password, 403 for an account without one, 429, 503
     */
    checkPassword: (asked: AskedAgain, field = 'password') => checkPassword(asked, field),
  };
}

export type Accounts = ReturnType<typeof createAccountsService>;
