import { MESSAGES } from '#texts/messages.ts';
import type { CheckedRegistration, LoginInput } from '#subjects/accounts/rules/accountRules.ts';
import type { Refusal } from '#lib/result.ts';
import { ApiError, readerOf, refusalOf, request } from '#web/api/client.ts';
import { routeAfterLogin } from '#web/router/navigate.ts';
import { routeBack } from './interruption.ts';
import { beginHints } from './newUser.ts';
import { pendingLinkToken, startSession } from './session.ts';
import { seededAnswer } from '#admin/testMode/answers/testMode.ts';
import { authenticatedAnswer } from '#subjects/accounts/answers/account.ts';
import { readRecord, readText } from '#lib/read.ts';

/** POST /login and POST /register, and with `field` what they refuse as a 409; null when it is the whole. */
export const readAuthentication = (body: unknown) => ({
  ...readerOf(authenticatedAnswer)(body),
  field: readText(readRecord(body).field),
});
type Authentication = ReturnType<typeof readAuthentication>;

/** POST /test/seed, and with `error` and `field` what it refuses as a 409. */
export const readSeeded = (body: unknown) => {
  const { error, field } = readRecord(body);
  return { ...readerOf(seededAnswer)(body), error: readText(error), field: readText(field) };
};

/**
 * Signs in and goes on to the first screen.
 * @param askForCode called instead with the ticket of the second step, where the account has two factors
 * @returns why it did not, or null when it worked
 */
export async function logIn(
  { identifier, password }: LoginInput,
  askForCode?: (ticket: string) => void,
): Promise<Refusal | null> {
  try {
    const name = identifier.trim();
    const answer = await request('POST /api/login', {
      body: { identifier: name, password },
      read: readAuthentication,
    });
    return startSessionFrom(answer, MESSAGES.login.invalid, afterLogin);
  } catch (cause) {
    const ticket = cause instanceof ApiError ? readText(readRecord(cause.body)['ticket']) : null;
    if (ticket && askForCode) {
      askForCode(ticket);
      return null;
    }
    return refusedWith(cause, MESSAGES.login.invalid, MESSAGES.login.network);
  }
}

export type Registration = CheckedRegistration & {
  /** Of the set-up link; null without one. */
  setupToken: string | null;
};

/** Registers, signs in and goes to '/'. @returns why it did not, or null when it worked */
export async function register({
  username,
  password,
  email,
  setupToken,
}: Registration): Promise<Refusal | null> {
  try {
    const answer = await request('POST /api/register', {
      body: {
        username,
        password,
        platform: 'web',
        ...(email ? { email } : {}),
        ...(setupToken ? { setupToken } : {}),
      },
      read: readAuthentication,
    });
    if (answer.accessToken) beginHints(answer.accessToken);
    return startSessionFrom(answer, MESSAGES.register.failed, () => '/');
  } catch (cause) {
    return refusedWith(cause, MESSAGES.register.failed, MESSAGES.register.network);
  }
}

/** Test mode only: signs in as a demo user with demo data. @returns why it did not, or null when it worked */
export async function seedDemo(username: string): Promise<Refusal | null> {
  try {
    const answer = await request('POST /api/test/seed', { body: { username }, read: readSeeded });
    if (!answer.success || !answer.accessToken) {
      return { field: answer.field, message: answer.error || MESSAGES.seed.noDemo };
    }
    const accessLevel = seededLevel(answer.user);
    startSession({ accessToken: answer.accessToken, accessLevel }, afterLogin(answer.accessToken));
    return null;
  } catch (cause) {
    return refusalOf(cause, MESSAGES.seed.failed);
  }
}

/** Spec section 3: admin 4, premium 3, basic 2, otherwise 1. */
const seededLevel = (user: { role: string; isAdmin: boolean }): number =>
  user.isAdmin || user.role === 'admin' ? 4 : user.role === 'premium' ? 3 : user.role === 'basic' ? 2 : 1;

/** Back to where the same user's session ended under this window; else where every login ends. */
export function afterLogin(accessToken: string): string {
  const linkToken = pendingLinkToken();
  return (linkToken ? null : routeBack(accessToken)) ?? routeAfterLogin(linkToken);
}

/** Starts the session that an answer grants. @returns the answer's refusal when it grants none, else null */
export function startSessionFrom(
  answer: Authentication,
  fallback: string,
  next: (accessToken: string) => string,
): Refusal | null {
  if (!answer.authenticated || !answer.accessToken) {
    return { field: answer.field, message: answer.error || fallback };
  }
  startSession(
    { accessToken: answer.accessToken, accessLevel: answer.accessLevel },
    next(answer.accessToken),
  );
  return null;
}

export const refusedWith = (cause: unknown, fallback: string, unreachable: string): Refusal =>
  cause instanceof ApiError ? refusalOf(cause, fallback) : { field: null, message: unreachable };
