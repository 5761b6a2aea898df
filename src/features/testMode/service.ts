import { accountKey, registerError } from '../../domain/accounts/accountRules.ts';
import type { Accounts } from '../accounts/service.ts';
import type { NewAccount, UserRow } from '../accounts/store.ts';

/** Adds one feature's demo data for a user; runs again for the same user without adding it twice. */
export type Seeder = (user: UserRow) => void | Promise<void>;

export type SeedNeeds = {
  accounts: Pick<Accounts, 'demoAccount' | 'openSession'>;
  /** What the other features add for a demo user. */
  seeders: readonly Seeder[];
};

/**
 * The rights of a seeded user by name: a name that starts with admin, premium or basic (whatever the case) gets
 * that level, any other is free. So `admin`, `Admin2` and `premium-anna` work, and several testers can share a server.
 */
export function rightsByName(username: string): Required<Pick<NewAccount, 'isAdmin' | 'subscriptionType'>> {
  const name = accountKey(username);
  if (name.startsWith('admin')) return { isAdmin: true, subscriptionType: 'premium' };
  if (name.startsWith('premium')) return { isAdmin: false, subscriptionType: 'premium' };
  if (name.startsWith('basic')) return { isAdmin: false, subscriptionType: 'basic' };
  return { isAdmin: false, subscriptionType: 'free' };
}

const ROLES = { 1: 'free', 2: 'basic', 3: 'premium', 4: 'admin' } as const;

/**
 * Makes a demo user of that name, or finds the one made earlier, gives it the rights of its name, its demo data and
 * a session.
 *
 * @returns the session and the role, or the sentence to show when the name can't be used
 */
export async function seed({ accounts, seeders }: SeedNeeds, name: string) {
  const username = name.trim();
  const problem = registerError({ username, password: 'not asked for' });
  if (problem) return { ok: false as const, status: 400 as const, error: problem };
  const user = accounts.demoAccount({ username, ...rightsByName(username) });
  if ('ok' in user) return { ok: false as const, status: 409 as const, error: user.error };
  for (const addDemoData of seeders) await addDemoData(user);
  const session = await accounts.openSession(user);
  const { accessToken, accessLevel } = session;
  return { ok: true as const, accessToken, role: ROLES[accessLevel], isAdmin: user.isAdmin };
}
