import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import type { AccountTools, Self } from '../tools.ts';
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
const setUpRoutes = (factor: Factor, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'GET /api/settings/second-factor': ({ user }) => factor.standing(user.id),
    'POST /api/settings/second-factor/begin': ({ user, body, request }) => {
      const password = needPassword(body.password);
      countChange(user.id);
      return factor.begin(selfOf(request, user), password);
    },
    'POST /api/settings/second-factor/confirm': async ({ user, body, request }) => {
      countChange(user.id);
      return { recoveryCodes: await factor.confirm(selfOf(request, user), body.code) };
    },
  });

/** What wants password and code. */
const provedRoutes = (factor: Factor, { selfOf, countChange }: Asking) =>
  serve(ACCOUNTS, {
    'POST /api/settings/second-factor/recovery-codes': async ({ user, body, request }) => {
      needPassword(body.password);
      countChange(user.id);
      return { recoveryCodes: await factor.renew(selfOf(request, user), body) };
    },
    'POST /api/settings/second-factor/off': async ({ user, body, request }) => {
      needPassword(body.password);
      countChange(user.id);
      await factor.turnOff(selfOf(request, user), body);
      return { success: true as const };
    },
  });

/** What a person does with their second factor, in Settings. */
export function secondFactorRoutes(tools: AccountTools, asking: Asking) {
  const factor = createSecondFactor(tools);
  return [...setUpRoutes(factor, asking), ...provedRoutes(factor, asking)];
}
