import type { App } from '#platform/app.ts';
import { addressKey } from '#lib/addresses.ts';
import type { AuthUser } from './auth.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import { refusedFor } from './errors.ts';

/** The key for fair sharing: the account of a user, or the address of the household. */
export type CallerKey = (user: Pick<AuthUser, 'id'> | null, request: Request) => string;

export const userKey = (userId: number): string => `user ${userId}`;

export const createCallerKey =
  ({ clientAddress }: App): CallerKey =>
  (user, request) =>
    user ? userKey(user.id) : addressKey(clientAddress(request));

/** Counts a user's request, even if it is refused later. @throws AppError 429 with `Retry-After` */
export type UserLimit = (userId: number) => void;

/** Counts the request of a user, or of an address without a login. @throws AppError 429 with `Retry-After` */
export type CallerLimit = (user: Pick<AuthUser, 'id'> | null, request: Request) => void;

const WINDOW_MS = 60_000;

function createCount(clock: Stopwatch, limit: number, tooMany: string): (key: string) => void {
  const requests = createRateLimit({ clock, limit, windowMs: WINDOW_MS });
  return (key) => {
    const seconds = requests.take(key);
    if (seconds > 0) throw refusedFor(seconds, 429, `${tooMany} Try again in ${waitText(seconds)}.`);
  };
}

/** A user's limit per minute. @param tooMany the sentence of a refusal: 'Too many requests for bars.' */
export function createUserLimit(clock: Stopwatch, limit: number, tooMany: string): UserLimit {
  const count = createCount(clock, limit, tooMany);
  return (userId) => count(String(userId));
}

/**
 * A caller's limit per minute for data that visitors may read: by account for users, by household address for
 * others.
 * @param tooMany the sentence of a refusal: 'Too many requests for bars.'
 */
export function createCallerLimit(
  { clock, clientAddress }: App,
  limit: number,
  tooMany: string,
): CallerLimit {
  const count = createCount(clock, limit, tooMany);
  return (user, request) => count(user ? `user ${user.id}` : addressKey(clientAddress(request)));
}

/** A user's limit of changes per minute. @param what completes the refusal's sentence: 'your watchlist' */
export const createWriteLimit = (clock: Stopwatch, limit: number, what: string): UserLimit =>
  createUserLimit(clock, limit, `Too many changes to ${what}.`);
