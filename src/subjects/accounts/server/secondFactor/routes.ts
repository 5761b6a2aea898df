import { Elysia } from 'elysia';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import type { Auth, AuthUser } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { AppError } from '#platform/http/errors.ts';
import type { Self } from '../own/deps.ts';
import { createSecondFactor } from './service.ts';

type Asking = {
  selfOf(request: Request, user: AuthUser): Self;
  /** @throws AppError 429 */
  countChange(userId: number): void;
};

/** @throws AppError 400 */
function needPassword(password: string): string {
  if (password === '') throw new AppError(400, { field: 'password', message: 'Type your password' });
  return password;
}

type Factor = ReturnType<typeof createSecondFactor>;

/** How it stands, and setting it up. */
const setUpRoutes = (auth: Auth, factor: Factor, { selfOf, countChange }: Asking) =>
  new Elysia({ name: 'accounts.own.secondFactor.setUp', prefix: '/second-factor' })
    .use(auth)
    .get('/', ({ user }) => factor.standing(user.id), {
      minLevel: 1,
      ...routeSchemas(ACCOUNTS['GET /api/settings/second-factor/']),
    })
    .post(
      '/begin',
      ({ user, body, request }) => {
        const password = needPassword(body.password);
        countChange(user.id);
        return factor.begin(selfOf(request, user), password);
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/second-factor/begin']) },
    )
    .post(
      '/confirm',
      async ({ user, body, request }) => {
        countChange(user.id);
        return { recoveryCodes: await factor.confirm(selfOf(request, user), body.code) };
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/second-factor/confirm']) },
    );

/** What wants password and code. */
const provedRoutes = (auth: Auth, factor: Factor, { selfOf, countChange }: Asking) =>
  new Elysia({ name: 'accounts.own.secondFactor.proved', prefix: '/second-factor' })
    .use(auth)
    .post(
      '/recovery-codes',
      async ({ user, body, request }) => {
        needPassword(body.password);
        countChange(user.id);
        return { recoveryCodes: await factor.renew(selfOf(request, user), body) };
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/second-factor/recovery-codes']) },
    )
    .post(
      '/off',
      async ({ user, body, request }) => {
        needPassword(body.password);
        countChange(user.id);
        await factor.turnOff(selfOf(request, user), body);
        return { success: true as const };
      },
      { minLevel: 1, ...routeSchemas(ACCOUNTS['POST /api/settings/second-factor/off']) },
    );

/** What a person does with their second factor, in Settings. */
export function secondFactorRoutes(
  auth: Auth,
  deps: Parameters<typeof createSecondFactor>[0],
  asking: Asking,
) {
  const factor = createSecondFactor(deps);
  return new Elysia({ name: 'accounts.own.secondFactor' })
    .use(setUpRoutes(auth, factor, asking))
    .use(provedRoutes(auth, factor, asking));
}
