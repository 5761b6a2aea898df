import {
  accountKey,
  checkRegistration,
  type SubscriptionType,
} from '#subjects/accounts/rules/accountRules.ts';
import { accepted } from '#platform/http/errors.ts';
import type { Accounts } from '#subjects/accounts/server/service.ts';
import type { UserRow } from '#subjects/accounts/server/store.ts';

/** Adds one feature's demo data for a user; runs again for the same user without adding it twice. */
export type Seeder = (user: UserRow) => void | Promise<void>;

export type SeedNeeds = {
  accounts: Pick<Accounts, 'demoAccount' | 'openSession'>;
  /** What the other features add for a demo user. */
  seeders: readonly Seeder[];
  /** Resolves when the listings that demo data are made of are in. */
  listed(): Promise<void>;
};

type Rights = { isAdmin: boolean; subscriptionType: SubscriptionType };

/**
 * The rights of a demo user by name: a name that starts with admin, premium or basic (whatever the case) gets
 * that level, any other is free. So `admin`, `Admin2` and `premium-anna` work, and several testers can share a server.
 */
function rightsByName(username: string): Rights {
  const name = accountKey(username);
  if (name.startsWith('admin')) return { isAdmin: true, subscriptionType: 'premium' };
  if (name.startsWith('premium')) return { isAdmin: false, subscriptionType: 'premium' };
  if (name.startsWith('basic')) return { isAdmin: false, subscriptionType: 'basic' };
  return { isAdmin: false, subscriptionType: 'free' };
}

const ROLES = { 1: 'free', 2: 'basic', 3: 'premium', 4: 'admin' } as const;

/** A demo account has no password; this one only takes the place of one in the rules for names. */
const NOT_ASKED_FOR = 'not asked for';

/**
 * Makes a demo user of that name, or finds the one made earlier, gives it the rights of its name, its demo data and
 * a session.
 *
 * @param address as `addressKey` makes it
 * @throws AppError 400 when the name can't be used, 409 when it is a registered account's, 429 when an address made too many
 */
export async function seed({ accounts, seeders, listed }: SeedNeeds, name: string, address: string) {
  const { username } = accepted(checkRegistration({ username: name, password: NOT_ASKED_FOR }));
  const user = accounts.demoAccount({ username, ...rightsByName(username) }, address);
  await listed();
  for (const addDemoData of seeders) await addDemoData(user);
  const { accessToken, accessLevel } = await accounts.openSession(user);
  return { accessToken, user: { role: ROLES[accessLevel], isAdmin: user.isAdmin } };
}
