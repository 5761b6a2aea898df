import type { App } from '#platform/app.ts';
import { addressKey } from '#lib/addresses.ts';
import type { AuthUser } from './auth.ts';
import type { Stopwatch } from '#lib/clock.ts';
import { createRateLimit, waitText } from '#lib/rateLimit.ts';
import { refusedFor } from './errors.ts';

/** Who is asking, for what is shared out fairly: a user by account, and everybody else by the address that a household has. */
export type CallerKey = (user: Pick<AuthUser, 'id'> | null, request: Request) => string;

export const userKey = (userId: number): string => `user ${userId}`;

export const createCallerKey =
  ({ clientAddress }: App): CallerKey =>
  (user, request) =>
    user ? userKey(user.id) : addressKey(clientAddress(request));

/** Counts a request of a user's, also one that is refused later. @throws AppError 429 with `Retry-After` */
export type UserLimit = (userId: number) => void;

/** Counts a request of a user's, or of an address where nobody is logged in. @throws AppError 429 with `Retry-After` */
export type CallerLimit = (user: Pick<AuthUser, 'id'> | null, request: Request) => void;

const WINDOW_MS = 60_000;

/** @param tooMany what is said, before when it may be tried again */
function createCount(clock: Stopwatch, limit: number, tooMany: string): (key: string) => void {
  const requests = createRateLimit({ clock, limit, windowMs: WINDOW_MS });
  return (key) => {
    const seconds = requests.take(key);
    if (seconds > 0) throw refusedFor(seconds, 429, `${tooMany} Try again in ${waitText(seconds)}.`);
  };
}

/**
 * How often a user may ask for something in a minute.
 * @param tooMany the sentence of a refusal: 'Too many looks at the tape.'
 */
export function createUserLimit(clock: Stopwatch, limit: number, tooMany: string): UserLimit {
  const count = createCount(clock, limit, tooMany);
  return (userId) => count(String(userId));
}

/**
 * How often a caller may ask in a minute for what visitors may read: a user by account, whatever the address, and
 * everybody else by the address that a household has.
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

/**
 * How often a user may change something in a minute.
 * @param what the thing, as the sentence calls it: 'your watchlist'
 */
export const createWriteLimit = (clock: Stopwatch, limit: number, what: string): UserLimit =>
  createUserLimit(clock, limit, `Too many changes to ${what}.`);
