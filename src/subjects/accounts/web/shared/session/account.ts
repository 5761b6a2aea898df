import { MESSAGES } from '#texts/messages.ts';
import type { CheckedRegistration, LoginInput } from '#subjects/accounts/rules/accountRules.ts';
import type { Refusal } from '#lib/result.ts';
import { ApiError, readerOf, refusalOf, request } from '#web/api/client.ts';
import { routeAfterLogin } from '#web/router/navigate.ts';
import { routeBack } from './interruption.ts';
import { offerTour, startTour } from '#web/shared/tour.ts';
import { pendingLinkToken, startSession } from './session.ts';
import { seededAnswer } from '#admin/testMode/answers/testMode.ts';
import { authenticatedAnswer } from '#subjects/accounts/answers/account.ts';
import { readRecord, readText } from '#lib/read.ts';

/** Reads the answer of POST /login and POST /register; `field` is set for a 409. */
export const readAuthentication = (body: unknown) => ({
  ...readerOf(authenticatedAnswer)(body),
  field: readText(readRecord(body).field),
});
/** Reads the answer of POST /test/seed; `error` and `field` are set for a 409. */
export const readSeeded = (body: unknown) => {
  const { error, field } = readRecord(body);
  return { ...readerOf(seededAnswer)(body), error: readText(error), field: readText(field) };
};

/**
 * Logs in and opens the first screen.
 * @param askForCode called with the ticket of the second step if the account has two-factor login
 * @returns why it failed, or null on success
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
  /** From the set-up link; null if there is none. */
  setupToken: string | null;
};

/** @returns why it failed, or null on success */
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
    const refusal = startSessionFrom(answer, MESSAGES.register.failed, () => '/');
    if (refusal === null) startTour();
    return refusal;
  } catch (cause) {
    return refusedWith(cause, MESSAGES.register.failed, MESSAGES.register.network);
  }
}

/** Opens a demo account; only in test mode. @returns why it failed, or null on success */
export async function seedDemo(username: string): Promise<Refusal | null> {
  try {
    const answer = await request('POST /api/test/seed', { body: { username }, read: readSeeded });
    if (!answer.success || !answer.accessToken) {
      return { field: answer.field, message: answer.error || MESSAGES.seed.noDemo };
    }
    const accessLevel = seededLevel(answer.user);
    startSession({ accessToken: answer.accessToken, accessLevel }, afterLogin(answer.accessToken));
    offerTour();
    return null;
  } catch (cause) {
    return refusalOf(cause, MESSAGES.seed.failed);
  }
}

/** Access level of a demo user (specification, section 3): admin 4, premium 3, basic 2, otherwise 1. */
const seededLevel = (user: { role: string; isAdmin: boolean }): number =>
  user.isAdmin || user.role === 'admin' ? 4 : user.role === 'premium' ? 3 : user.role === 'basic' ? 2 : 1;

/** The route after a login: where the same user's session ended in this window, otherwise the usual first screen. */
export function afterLogin(accessToken: string): string {
  const linkToken = pendingLinkToken();
  return (linkToken ? null : routeBack(accessToken)) ?? routeAfterLogin(linkToken);
}

/** @returns the refusal if the answer grants no session, otherwise null */
export function startSessionFrom(
  answer: ReturnType<typeof readAuthentication>,
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
