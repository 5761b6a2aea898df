import { createConfirmPassword } from './confirm.ts';
import { demoAccount } from './demoAccounts.ts';
import type { LoginDeps } from './login.ts';
import { addAccount } from './register.ts';
import { openSession } from './sessions.ts';
import { createSetupToken } from './setupToken.ts';
import { accountStore, type NewAccount, type UserRow } from './store.ts';

/** What other parts may do with accounts. */
export const createAccountsService = (deps: LoginDeps) => ({
  /** @throws AppError 409 when the username or email is somebody's already */
  add: (account: NewAccount) => addAccount(deps, account),
  /** Whether a name is somebody's username or email. */
  isTaken: (name: string) => accountStore(deps.db).isTaken(name),
  /** @throws AppError 409 when the name is a registered account's */
  demoAccount: (account: Parameters<typeof demoAccount>[1]) => demoAccount(deps, account),
  /** Asks somebody who is logged in for the password again. */
  confirm: createConfirmPassword(deps),
  openSession: (user: UserRow) => openSession(deps, user),
  /** Makes the one-time token of the first administrator; null when there is one already. */
  createSetupToken: () => createSetupToken(deps),
});

export type Accounts = ReturnType<typeof createAccountsService>;
