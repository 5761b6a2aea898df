import { Elysia } from 'elysia';
import { loginError, registerError } from '../../domain/accounts/accountRules.ts';
import type { Auth } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import type { Core, Part } from '../../part.ts';
import { createAccountLimits } from './limits.ts';
import { loginBody, notSignedIn, registerBody, signedIn, success } from './model.ts';
import {
  type AccountDeps,
  createAccountsService,
  createLogin,
  logout,
  register,
  retireDemoAccounts,
} from './service.ts';
import { accountStore } from './store.ts';

const refusals = { 400: notSignedIn, 401: notSignedIn, 403: notSignedIn, 409: notSignedIn, 429: notSignedIn };
const refuse = (error: string) => ({ authenticated: false as const, error });

/** POST /login, /register, /logout (specification 7.1). */
function routesOf(auth: Auth, deps: AccountDeps & Pick<Connections, 'clientAddress'>) {
  const limits = createAccountLimits(deps);
  const login = createLogin(deps);
  return new Elysia({ name: 'accounts' })
    .use(auth)
    .post(
      '/login',
      async ({ body, request, set, status }) => {
        // A form that is not filled in tries nothing, so it does not count.
        const limited = loginError(body) === null ? limits.login(request, body.identifier) : null;
        if (limited) {
          set.headers['retry-after'] = String(limited.seconds);
          return status(429, refuse(limited.error));
        }
        const result = await login(body);
        if (!result.ok) return status(result.status, refuse(result.error));
        limits.loggedIn(request, body.identifier);
        const { accessToken, accessLevel } = result;
        return { authenticated: true as const, accessToken, accessLevel };
      },
      { anyone: true, body: loginBody, response: { 200: signedIn, ...refusals } },
    )
    .post(
      '/register',
      async ({ body, request, set, status }) => {
        const { username, password, email, setupToken } = body;
        const input = {
          username,
          password,
          ...(email ? { email } : {}),
          ...(setupToken ? { setupToken } : {}),
        };
        const limited = registerError(input) === null ? limits.registration(request, username) : null;
        if (limited) {
          set.headers['retry-after'] = String(limited.seconds);
          return status(429, refuse(limited.error));
        }
        const result = await register(deps, input);
        if (!result.ok) return status(result.status, refuse(result.error));
        const { accessToken, accessLevel } = result;
        return { authenticated: true as const, accessToken, accessLevel };
      },
      { anyone: true, body: registerBody, response: { 200: signedIn, ...refusals } },
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
export type AccountsNeeds = Omit<AccountDeps, 'db' | 'clock'> &
  Pick<Connections, 'clientAddress'> & { auth: Auth };

/** Accounts and sessions. `start` drops old sessions, and those of demo accounts when there is no test mode. */
export function createAccounts({ db, clock, config }: AccountsCore, { auth, ...needs }: AccountsNeeds) {
  const deps = { db, clock, ...needs };
  return {
    name: 'accounts',
    service: createAccountsService(deps),
    routes: routesOf(auth, deps),
    start() {
      accountStore(db).dropSessionsBefore(clock.now());
      if (!config.testMode) retireDemoAccounts(deps);
    },
  } satisfies Part;
}
