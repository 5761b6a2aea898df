import { NotFoundError } from 'elysia';
import { serve } from '#platform/http/routes.ts';
import { refusingWith, accepted } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import { addressKey } from '#lib/addresses.ts';
import { TEST_MODE } from '../contract.ts';
import { accountKey, checkRegistration } from '#subjects/accounts/rules/accountRules.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { UserRow } from '#subjects/accounts/server/store.ts';

/** Adds demo data of one feature for a user. Calling it again adds nothing. */
type Seeder = (user: UserRow) => void | Promise<void>;

type Rights = { isAdmin: boolean; subscriptionType: SubscriptionType };

/**
 * The rights of a demo user by the start of the name: admin, premium or basic in any case, otherwise free. So `admin`,
 * `Admin2` and `premium-anna` work, and several testers can share a server.
 */
function rightsByName(username: string): Rights {
  const name = accountKey(username);
  if (name.startsWith('admin')) return { isAdmin: true, subscriptionType: 'premium' };
  if (name.startsWith('premium')) return { isAdmin: false, subscriptionType: 'premium' };
  if (name.startsWith('basic')) return { isAdmin: false, subscriptionType: 'basic' };
  return { isAdmin: false, subscriptionType: 'free' };
}

const ROLES = { 1: 'free', 2: 'basic', 3: 'premium', 4: 'admin' } as const;

/** Satisfies the check of registrations. A demo account has no password. */
const NOT_ASKED_FOR = 'not asked for';

/**
 * Creates or finds a demo user, with rights, demo data and a session.
 * @param address as returned by `addressKey`
 * @throws AppError 400 for an invalid name, 409 for a registered account's, 429 if an address created too many
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
 * GET /test/status and POST /test/seed (specification 7.1). Outside test mode, seeding answers like an unknown address.
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

export const createTestMode = (app: App, seeders: readonly Seeder[]) =>
  ({ name: 'testMode', routes: () => routesOf(app, seeders) }) satisfies Part;
