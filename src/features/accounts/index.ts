import { Elysia } from 'elysia';
import { checkLogin, checkRegistration } from '../../domain/accounts/accountRules.ts';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import { accepted, refusingWith } from '../../http/errors.ts';
import type { Core, Part } from '../../part.ts';
import { retireDemoAccounts } from './demoAccounts.ts';
import { createAccountLimits } from './limits.ts';
import { createLogin, type LoginDeps } from './login.ts';
import { authenticated, loginBody, notAuthenticated, registerBody, success } from './model.ts';
import { register } from './register.ts';
import { createAccountsService } from './service.ts';
import { sessionStore } from './sessionStore.ts';
import { logout } from './sessions.ts';

type RouteDeps = LoginDeps & { clock: Core['clock'] } & Pick<Connections, 'clientAddress'>;

const refusals = {
  400: notAuthenticated,
  401: notAuthenticated,
  403: notAuthenticated,
  409: notAuthenticated,
  429: notAuthenticated,
};

/** Opens the session that a route's work gives, in the form of login and register (specification 7.1). */
const answerWith = (work: () => ReturnType<typeof register>) =>
  refusingWith({ authenticated: false }, async () => ({ authenticated: true as const, ...(await work()) }));

/** POST /login, /register, /logout (specification 7.1). A form that is not filled in does not count as an attempt. */
function routesOf(auth: Auth, deps: RouteDeps) {
  const limits = createAccountLimits(deps);
  const login = createLogin(deps);
  return new Elysia({ name: 'accounts' })
    .use(auth)
    .post(
      '/login',
      ({ body, request }) =>
        answerWith(async () => {
          const input = accepted(checkLogin(body));
          limits.countLogin(request, input.identifier);
          const session = await login(input);
          limits.forgetLogin(request, input.identifier);
          return session;
        }),
      { anyone: true, body: loginBody, response: { 200: authenticated, ...refusals } },
    )
    .post(
      '/register',
      ({ body, request }) =>
        answerWith(() => {
          const { username, password, email = null, setupToken } = body;
          const registration = accepted(checkRegistration({ username, password, email }));
          limits.countRegistration(request, registration.username);
          return register(deps, registration, setupToken || undefined);
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

/** Accounts and sessions. `start` drops old sessions, and those of demo accounts when there is no test mode. */
export function createAccounts({ db, clock, config }: AccountsCore, { auth, ...needs }: AccountsNeeds) {
  const deps = { db, clock, ...needs };
  return {
    name: 'accounts',
    service: createAccountsService(deps),
    routes: routesOf(auth, deps),
    start() {
      sessionStore(db).dropExpiredBefore(clock.now());
      if (!config.testMode) retireDemoAccounts(deps);
    },
  } satisfies Part;
}
