import type { Db } from '#platform/db/open.ts';
import { accountKey, type CheckedRegistration } from '../rules/accountRules.ts';
import { isReserved } from '../rules/lookalikes.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Clock } from '#lib/clock.ts';
import type { Caller } from '#lib/fairQueue.ts';
import type { LoginFrom } from './login.ts';
import { type OpenedSession, openSession } from './sessions.ts';
import { isSetupToken, setupTokenStore } from './setupLink.ts';
import { type AccountStore, accountStore, type NewAccount, type UserRow } from './store.ts';
import type { AccountTools } from './tools.ts';

const TAKEN = {
  username: 'That username is already taken. Choose another one.',
  email: 'That email address already belongs to an account. Log in with it, or use another one.',
};

const BAD_SETUP_TOKEN =
  'This set-up link is not valid, or was already used. If there is no administrator, restart the server to get a new link.';

/** @throws AppError 409 if the username or email is already used as either */
function refuseTaken(store: AccountStore, { username, email }: Pick<NewAccount, 'username' | 'email'>): void {
  if (store.isTaken(username)) throw new AppError(409, { field: 'username', message: TAKEN.username });
  if (email !== null && store.isTaken(email)) {
    throw new AppError(409, { field: 'email', message: TAKEN.email });
  }
}

const LOOKS_TAKEN = 'That username looks too similar to an existing one. Choose another one.';
const OF_THE_HOUSE = 'That username is reserved. Choose another one.';

/**
 * Refuses names that imitate other users or the operator. Not used for accounts from the command line or with a set-up link.
 * @throws AppError 400, 409
 */
function refusePretence(store: AccountStore, username: string): void {
  if (isReserved(username)) throw new AppError(400, { field: 'username', message: OF_THE_HOUSE });
  if (store.looksTaken(username)) throw new AppError(409, { field: 'username', message: LOOKS_TAKEN });
}

/** @throws AppError 403 for an invalid token */
function refuseBadSetupToken(db: Db, token: string | undefined): void {
  if (token !== undefined && !isSetupToken(db, token)) {
    throw new AppError(403, { field: 'setupToken', message: BAD_SETUP_TOKEN });
  }
}

/** Adds an account with checked values. @throws AppError 409 if the username or email is taken */
export function addAccount(db: Db, clock: Clock, account: NewAccount): UserRow {
  const store = accountStore(db);
  return store.inTransaction(() => {
    refuseTaken(store, account);
    return store.insert(account, clock.now());
  });
}

/**
 * Registers a user and opens the first session. A valid set-up token makes the account the first administrator's.
 * @param from where the caller is, and the set-up token if there is one
 * @throws AppError 400 for a reserved name, 403 for an invalid set-up token, 409 if the username or email is taken, 503
 * if too many users log in at once
 */
export async function register(
  { app, notifier, registrations }: AccountTools,
  { username, password, email }: CheckedRegistration,
  from: LoginFrom & { setupToken?: string | undefined },
): Promise<OpenedSession> {
  const { setupToken, ...place } = from;
  const store = accountStore(app.db);
  const account = { username, email };
  const caller: Caller = { address: place.address, name: `name ${accountKey(username)}`, rank: 1 };
  refuseBadSetupToken(app.db, setupToken);
  refuseTaken(store, account);
  if (setupToken === undefined) refusePretence(store, username);
  const passwordHash = await app.passwords.hash(password, caller);
  const user = store.inTransaction(() => {
    // Checked again, because another user may have used the same link or name during hashing.
    refuseBadSetupToken(app.db, setupToken);
    refuseTaken(store, account);
    if (setupToken === undefined) refusePretence(store, username);
    const rights = setupToken === undefined ? {} : { isAdmin: true, subscriptionType: 'premium' as const };
    const added = store.insert({ ...account, ...rights, passwordHash }, app.clock.now());
    registrations.keep(place.address);
    if (setupToken !== undefined) setupTokenStore(app.db).dropHash();
    return added;
  });
  return openSession(app, notifier, user, place);
}
