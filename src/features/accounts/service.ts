import type { Db } from '../../db/open.ts';
import {
  type AccessLevel,
  accessLevel,
  loginError,
  registerError,
} from '../../domain/accounts/accountRules.ts';
import { MESSAGES } from '../../domain/messages.ts';
import { createTokens } from '../../http/tokens.ts';
import type { SystemClock } from '../../lib/clock.ts';
import type { Passwords } from './passwords.ts';
import { createSetupToken, isSetupToken } from './setup.ts';
import { accountStore, type NewAccount, NO_PASSWORD, type UserRow } from './store.ts';

const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

export type AccountDeps = {
  db: Db;
  clock: SystemClock;
  passwords: Passwords;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  /** Signs the tokens of sessions. */
  jwtSecret: string;
};
export type SignedIn = { ok: true; accessToken: string; accessLevel: AccessLevel; user: UserRow };
export type Refused = { ok: false; status: 400 | 401 | 403 | 409; error: string };

const refused = (status: Refused['status'], error: string): Refused => ({ ok: false, status, error });

const TAKEN = {
  username: 'That username is already taken. Choose another one.',
  email: 'That email address already belongs to an account. Log in with it, or use another one.',
};
const NOT_A_DEMO = 'That name belongs to a registered account. Choose another name for the demo user.';
const BAD_SETUP =
  'This set-up link is not valid or was used already. Restart the server to get a new one while there is no administrator.';

/** Opens a session for a user who has proved who they are. */
export async function openSession(deps: AccountDeps, user: UserRow): Promise<SignedIn> {
  const now = deps.clock.now();
  const session = { id: deps.randomToken(), userId: user.id, createdAt: now, expiresAt: now + SESSION_MS };
  const claims = { userId: user.id, sessionId: session.id };
  const accessToken = await createTokens(deps).sign(claims, session.expiresAt);
  accountStore(deps.db).openSession(session);
  return { ok: true, accessToken, accessLevel: accessLevel(user), user };
}

/**
 * Login by username or email. An unknown name costs the same time as a wrong password, so that names can't be
 * found out.
 */
export function createLogin(deps: AccountDeps) {
  let decoy: Promise<string> | undefined;
  return async (input: { identifier: string; password: string }): Promise<SignedIn | Refused> => {
    const problem = loginError(input);
    if (problem) return refused(400, problem);
    const user = accountStore(deps.db).find(input.identifier);
    decoy ??= deps.passwords.hash(deps.randomToken());
    const hash = user && user.passwordHash !== NO_PASSWORD ? user.passwordHash : await decoy;
    const good = await deps.passwords.verify(input.password, hash);
    // Read again: the password may have been changed while it was being compared.
    const current = user && accountStore(deps.db).byId(user.id);
    if (!good || !current || current.passwordHash !== hash) return refused(401, MESSAGES.login.invalid);
    return openSession(deps, current);
  };
}

function taken(store: ReturnType<typeof accountStore>, account: Pick<NewAccount, 'username' | 'email'>) {
  if (store.isTaken(account.username)) return refused(409, TAKEN.username);
  if (account.email !== null && store.isTaken(account.email)) return refused(409, TAKEN.email);
  return null;
}

/**
 * Adds an account; the caller has validated it. Looks for the name and inserts in one transaction.
 *
 * @returns the new row, or the refusal when the username or email is somebody's already
 */
export function addAccount(deps: Pick<AccountDeps, 'db' | 'clock'>, account: NewAccount): UserRow | Refused {
  const store = accountStore(deps.db);
  return store.immediately(() => taken(store, account) ?? store.insert(account, deps.clock.now()));
}

/**
 * Finds the demo account of a name or makes it, and gives it these rights. No password opens it.
 *
 * @returns the account, or the refusal when the name is a registered account's
 */
export function demoAccount(
  deps: Pick<AccountDeps, 'db' | 'clock'>,
  account: Required<Pick<NewAccount, 'username' | 'isAdmin' | 'subscriptionType'>>,
): UserRow | Refused {
  const store = accountStore(deps.db);
  return store.immediately(() => {
    const known = store.find(account.username);
    if (known && known.passwordHash !== NO_PASSWORD) return refused(409, NOT_A_DEMO);
    const user =
      known ?? store.insert({ ...account, email: null, passwordHash: NO_PASSWORD }, deps.clock.now());
    const { isAdmin, subscriptionType } = account;
    store.update(user.id, { isAdmin, subscriptionType });
    return { ...user, isAdmin, subscriptionType };
  });
}

/** Ends the sessions of all demo accounts: a server without test mode must not let them in. */
export function retireDemoAccounts(deps: Pick<AccountDeps, 'db' | 'clock'>): void {
  const store = accountStore(deps.db);
  for (const user of store.seeded()) store.revokeSessions(user.id, deps.clock.now());
}

export type Registration = { username: string; password: string; email?: string; setupToken?: string };

/** Registration; with a good set-up token the new account is the first administrator. */
export async function register(deps: AccountDeps, input: Registration): Promise<SignedIn | Refused> {
  const problem = registerError(input);
  if (problem) return refused(400, problem);
  const { setupToken } = input;
  if (setupToken !== undefined && !isSetupToken(deps, setupToken)) return refused(403, BAD_SETUP);
  const store = accountStore(deps.db);
  const email = input.email?.trim() ? input.email.trim() : null;
  const account = { username: input.username.trim(), email };
  const early = taken(store, account);
  if (early) return early;
  const passwordHash = await deps.passwords.hash(input.password);
  const result = store.immediately((): UserRow | Refused => {
    // Looked at again: hashing takes a while, and two people may hold the same link or want the same name.
    if (setupToken !== undefined && !isSetupToken(deps, setupToken)) return refused(403, BAD_SETUP);
    const late = taken(store, account);
    if (late) return late;
    const rights = setupToken === undefined ? {} : { isAdmin: true, subscriptionType: 'premium' as const };
    const user = store.insert({ ...account, ...rights, passwordHash }, deps.clock.now());
    if (setupToken !== undefined) store.dropSetupHash();
    return user;
  });
  return 'ok' in result ? result : openSession(deps, result);
}

/** Ends one session; its token is worth nothing from then on. */
export const logout = (deps: Pick<AccountDeps, 'db' | 'clock'>, sessionId: string): void =>
  accountStore(deps.db).revokeSession(sessionId, deps.clock.now());

/** What other parts may do with accounts: the functions above, bound to what they need. */
export const createAccountsService = (deps: AccountDeps) => ({
  add: (account: NewAccount) => addAccount(deps, account),
  demoAccount: (account: Parameters<typeof demoAccount>[1]) => demoAccount(deps, account),
  openSession: (user: UserRow) => openSession(deps, user),
  /** Makes the one-time token of the first administrator; null when there is one already. */
  createSetupToken: () => createSetupToken(deps),
});

export type Accounts = ReturnType<typeof createAccountsService>;
