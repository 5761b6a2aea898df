import type { App } from '#platform/app.ts';
import { addressKey } from '#lib/addresses.ts';
import type { AuthUser } from './auth.ts';

/** Who is asking, for what is shared out fairly: a user by account, and everybody else by the address that a household has. */
export type CallerKey = (user: Pick<AuthUser, 'id'> | null, request: Request) => string;

export const userKey = (userId: number): string => `user ${userId}`;

export const createCallerKey =
  ({ clientAddress }: App): CallerKey =>
  (user, request) =>
    user ? userKey(user.id) : addressKey(clientAddress(request));
