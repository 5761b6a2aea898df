import { NotFoundError } from 'elysia';
import { serve } from '#platform/http/routes.ts';
import { refusingWith, accepted } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { addressKey } from '#lib/addresses.ts';
import { TEST_MODE } from '../contract.ts';
import { accountKey, checkRegistration } from '#subjects/accounts/rules/accountRules.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { UserRow } from '#subjects/accounts/server/store.ts';

/** Adds one feature's demo data for a user; runs again for the same user without adding it twice. */
type Seeder = (user: UserRow) => void | Promise<void>;

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
async function seed({ accounts, source }: App, seeders: readonly Seeder[], name: string, address: string) {
  const { username } = accepted(checkRegistration({ username: name, password: NOT_ASKED_FOR }));
  const user = accounts.demoAccount({ username, ...rightsByName(username) }, address);
  await source.loaded?.();
  for (const addDemoData of seeders) await addDemoData(user);
  const { accessToken, accessLevel } = await accounts.openSession(user);
  return { accessToken, user: { role: ROLES[accessLevel], isAdmin: user.isAdmin } };
}

/**
 * GET /test/status and POST /test/seed (specification 7.1). Outside test mode seeding looks like any address that
 * does not exist.
 */
const routesOf = (app: App, seeders: readonly Seeder[]) =>
  serve(TEST_MODE, {
    'GET /api/test/status': () => ({ test: app.config.testMode }),
    'POST /api/test/seed': {
      handle: ({ body, request }) =>
        refusingWith({ success: false }, async () => ({
          success: true as const,
          ...(await seed(app, seeders, body.username, addressKey(app.clientAddress(request)))),
        })),
      admit: () => {
        if (!app.config.testMode) throw new NotFoundError();
      },
    },
  });

/** Demo users with demo data, on a server in test mode. @param seeders add what the other features show */
export const createTestMode = (app: App, seeders: readonly Seeder[]) =>
  ({ name: 'testMode', routes: () => routesOf(app, seeders) }) satisfies Part;
