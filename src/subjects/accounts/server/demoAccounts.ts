import { eq, sql } from 'drizzle-orm';
import { isBrowserDemo } from '../rules/accountRules.ts';
import type { Db } from '#platform/db/open.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Clock } from '#lib/clock.ts';
import type { App, Pruned } from '#platform/app.ts';
import { DAY_MS } from '#lib/units.ts';
import { removeAccount } from './own/deletion.ts';
import { PERSONAL_TABLES } from './own/personalTables.ts';
import { sessionStore } from './sessions.ts';
import { accountStore, type NewAccount, NO_PASSWORD, type UserRow } from './store.ts';
import type { AccountTools } from './tools.ts';

const NOT_A_DEMO = 'That name belongs to a registered account. Choose another name for the demo user.';

export type DemoAccount = Required<Pick<NewAccount, 'username' | 'isAdmin' | 'subscriptionType'>>;

/** An existing demo account. Registration limits do not apply. @throws AppError 409 if the account is registered */
function knownDemo(store: ReturnType<typeof accountStore>, username: string): UserRow | undefined {
  const known = store.find(username);
  if (known && known.passwordHash !== NO_PASSWORD) {
    throw new AppError(409, { field: 'username', message: NOT_A_DEMO });
  }
  return known;
}

/**
 * Finds or creates the demo account of a name and sets its rights. No password opens it. New accounts made by the
 * button on the login page count as registrations of the address; programs seed other names without a limit.
 * @param address as returned by `addressKey`
 * @throws AppError 409 if the name is a registered account's, 429 for too many from the address
 */
export function demoAccount(
  { app: { clock, db }, registrations }: AccountTools,
  { username, ...rights }: DemoAccount,
  address: string,
): UserRow {
  const store = accountStore(db);
  return store.inTransaction(() => {
    const known = knownDemo(store, username);
    if (!known && isBrowserDemo(username)) {
      registrations.begin(address);
      registrations.keep(address);
    }
    const account = { username, ...rights, email: null, passwordHash: NO_PASSWORD };
    const user = known ?? store.insert(account, clock.now());
    store.update(user.id, rights);
    return { ...user, ...rights };
  });
}

/** Ends the sessions of all demo accounts, which must not work outside test mode. */
export function retireDemoAccounts({ clock, db }: App): void {
  const sessions = sessionStore(db);
  for (const user of accountStore(db).demoAccounts()) sessions.revokeAllOf(user.id, clock.now());
}

/** Tables whose rows stay when an account is deleted. */
const RECORDS = PERSONAL_TABLES.filter(({ isDeleted }) => !isDeleted);

const isRecorded = (db: Db, userId: number): boolean =>
  RECORDS.some(
    ({ table }) =>
      db.select({ one: sql`1` }).from(table).where(eq(table.userId, userId)).limit(1).get() !== undefined,
  );

const UNUSED_DAYS = 7;
/** Accounts per run, so that no other request is delayed. */
const MAX_AT_ONCE = 20;

/** A demo account whose last use (epoch ms) is not later than this is removed. */
export const unusedSince = (clock: Clock): number => clock.now() - UNUSED_DAYS * DAY_MS;

/**
 * Removes some demo accounts of browsers that were unused for a week. An account that a call or the audit refers to
 * stays under a neutral name.
 */
export function removeUnusedDemoAccounts(tools: AccountTools): Pruned {
  const { clock, db } = tools.app;
  const store = accountStore(db);
  const unused = sessionStore(db)
    .demoAccountsUnusedSince(unusedSince(clock))
    .filter(({ username }) => isBrowserDemo(username));
  const some = unused.slice(0, MAX_AT_ONCE);
  for (const { id } of some) {
    const finish = store.inTransaction(() => {
      const removed = removeAccount(tools, id);
      if (!isRecorded(db, id)) store.drop(id);
      return removed;
    });
    finish();
  }
  return { removed: some.length, hasMore: unused.length > some.length };
}
