import { Elysia } from 'elysia';
import { checkLogin, checkRegistration } from '../../domain/accounts/accountRules.ts';
import { deviceOf } from '../../domain/accounts/device.ts';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { accepted, refusingWith } from '../../http/errors.ts';
import { addressKey } from '../../lib/addressKey.ts';
import { type Scheduler, timerScheduler } from '../../lib/scheduler.ts';
import type { Core, Part } from '../../part.ts';
import { retireDemoAccounts } from './demoAccounts.ts';
import { createKnownAddresses } from './knownAddresses.ts';
import { createRegistrationLimit } from './limits.ts';
import { createLogin, type LoginDeps, type LoginFrom } from './login.ts';
import { authenticated, loginBody, notAuthenticated, registerBody, success } from './model.ts';
import { register } from './register.ts';
import { type AccountsServiceDeps, createAccountsService } from './service.ts';
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
  const placeOf = (request: Request): LoginFrom => ({
    address: addressKey(deps.clientAddress(request)),
    device: deviceOf(request.headers.get('user-agent')),
  });
  return new Elysia({ name: 'accounts' })
    .use(auth)
    .post(
      '/login',
      ({ body, request }) => answerWith(() => login(accepted(checkLogin(body)), placeOf(request))),
      { anyone: true, body: loginBody, response: { 200: authenticated, ...refusals } },
    )
    .post(
      '/register',
      ({ body, request }) =>
        answerWith(() => {
          const { username, password, email = null, setupToken } = body;
          const registration = accepted(checkRegistration({ username, password, email }));
          const place = placeOf(request);
          countRegistration(place.address);
          return register(deps, registration, { ...place, setupToken: setupToken || undefined });
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
export type AccountsNeeds = Omit<AccountsServiceDeps, 'db' | 'clock'> &
  Pick<Connections, 'clientAddress'> & { auth: Auth; schedule?: Scheduler };

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Accounts and sessions. `start` ends the sessions of demo accounts when there is no test mode, and drops what has
 * expired, then and every day.
 */
export function createAccounts({ db, clock, config }: AccountsCore, needs: AccountsNeeds) {
  const { auth, schedule = timerScheduler, ...more } = needs;
  const deps = { db, clock, ...more };
  let cancel: (() => void) | undefined;

  function dropExpired(): void {
    sessionStore(db).dropEnded(clock.now());
    createKnownAddresses(deps).dropExpired();
    cancel = schedule(DAY_MS, dropExpired);
  }

  return {
    name: 'accounts',
    service: createAccountsService(deps),
    routes: routesOf(auth, deps),
    start() {
      if (!config.testMode) retireDemoAccounts(deps);
      cancel?.();
      dropExpired();
    },
    stop() {
      cancel?.();
    },
  } satisfies Part;
}
