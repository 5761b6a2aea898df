import { Elysia } from 'elysia';
import { checkLogin, checkRegistration } from '../../domain/accounts/accountRules.ts';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { accepted, refusingWith } from '../../http/errors.ts';
import { addressKey } from '../../lib/addressKey.ts';
import type { Core, Part } from '../../part.ts';
import { retireDemoAccounts } from './demoAccounts.ts';
import { createKnownAddresses } from './knownAddresses.ts';
import { createRegistrationLimit } from './limits.ts';
import { createLogin, type LoginDeps } from './login.ts';
import { authenticated, loginBody, notAuthenticated, registerBody, success } from './model.ts';
import { register } from './register.ts';
import { createAccountsService } from './service.ts';
import { sessionStore } from './sessionStore.ts';
import { logout } from './sessions.ts';

type RouteDeps = LoginDeps & Pick<Connections, 'clientAddress'>;

const refusals = {
  400: notAuthenticated,
  401: notAuthenticated,
  403: notAuthenticated,
  409: notAuthenticated,
  429: notAuthenticated,
  503: notAuthenticated,
};

/** Opens the session that a route's work gives, in the form of login and register (specification 7.1). */
const answerWith = (work: () => ReturnType<typeof register>) =>
  refusingWith({ authenticated: false }, async () => ({ authenticated: true as const, ...(await work()) }));

/** POST /login, /register, /logout (specification 7.1). A form that is not filled in does not count as an attempt. */
function routesOf(auth: Auth, deps: RouteDeps) {
  const login = createLogin(deps);
  const countRegistration = createRegistrationLimit(deps.clock);
  const addressOf = (request: Request): string => addressKey(deps.clientAddress(request));
  return new Elysia({ name: 'accounts' })
    .use(auth)
    .post(
      '/login',
      ({ body, request }) => answerWith(() => login(accepted(checkLogin(body)), addressOf(request))),
      { anyone: true, body: loginBody, response: { 200: authenticated, ...refusals } },
    )
    .post(
      '/register',
      ({ body, request }) =>
        answerWith(() => {
          const { username, password, email = null, setupToken } = body;
          const registration = accepted(checkRegistration({ username, password, email }));
          const address = addressOf(request);
          countRegistration(address);
          return register(deps, registration, { address, setupToken: setupToken || undefined });
        }),
      { anyone: true, body: registerBody, response: { 200: authenticated, ...refusals } },
    )
    .post(
      '/logout',
      ({ user }) => {
        logout(deps, user.sessionId);
        return { success: true as const };
      },
      { minLevel: 1, response: { 200: success } },
    );
}

export type AccountsCore = Pick<Core, 'db' | 'clock'> & { config: Pick<Core['config'], 'testMode'> };
export type AccountsNeeds = Omit<LoginDeps, 'db' | 'clock'> &
  Pick<Connections, 'clientAddress'> & { auth: Auth };

/**
 * Accounts and sessions. `start` ends the sessions of demo accounts when there is no test mode, and drops what has
 * expired, as every night.
 */
export function createAccounts({ db, clock, config }: AccountsCore, needs: AccountsNeeds) {
  const { auth, ...more } = needs;
  const deps = { db, clock, ...more };
  const dropExpired = (): number =>
    sessionStore(db).dropEnded(clock.now()) + createKnownAddresses(deps).dropExpired();

  return {
    name: 'accounts',
    service: createAccountsService(deps),
    routes: routesOf(auth, deps),
    start() {
      if (!config.testMode) retireDemoAccounts(deps);
      dropExpired();
    },
    prune: () => ({ removed: dropExpired(), hasMore: false }),
  } satisfies Part;
}
