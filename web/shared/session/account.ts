import { MESSAGES } from '../../../src/domain/messages.ts';
import { ApiError, api, messageOf, unwrap } from '../api/client.ts';
import { routeAfterLogin } from '../router/resolveRoute.ts';
import { type Authentication, readAuthentication, readSeeded } from './readAccount.ts';
import { pendingLinkToken, startSession } from './session.ts';

/** Signs in and goes on to the first screen. @returns the sentence to show, or null when it worked */
export async function logIn(identifier: string, password: string): Promise<string | null> {
  try {
    const answer = await unwrap(api.login.post({ identifier, password }), readAuthentication);
    return startSessionFrom(answer, MESSAGES.login.invalid, routeAfterLogin(pendingLinkToken()));
  } catch (cause) {
    return sentenceOf(cause, MESSAGES.login.invalid, MESSAGES.login.network);
  }
}

export type Registration = { username: string; password: string; email: string; setupToken: string | null };

/** Registers, signs in and goes to '/'. @returns the sentence to show, or null when it worked */
export async function register(input: Registration): Promise<string | null> {
  const email = input.email.trim();
  try {
    const answer = await unwrap(
      api.register.post({
        username: input.username.trim(),
        password: input.password,
        platform: 'web',
        ...(email ? { email } : {}),
        ...(input.setupToken ? { setupToken: input.setupToken } : {}),
      }),
      readAuthentication,
    );
    return startSessionFrom(answer, MESSAGES.register.failed, '/');
  } catch (cause) {
    return sentenceOf(cause, MESSAGES.register.failed, MESSAGES.register.network);
  }
}

/** Test mode only: signs in as a user made for the purpose. @returns the sentence to show, or null when it worked */
export async function seedDemo(username: string): Promise<string | null> {
  try {
    const answer = await unwrap(api.test.seed.post({ username }), readSeeded);
    if (!answer.success || !answer.accessToken) return answer.error || MESSAGES.seed.noDemo;
    const accessLevel = seededLevel(answer.user);
    startSession({ accessToken: answer.accessToken, accessLevel }, routeAfterLogin(pendingLinkToken()));
    return null;
  } catch (cause) {
    return messageOf(cause, MESSAGES.seed.failed);
  }
}

/** Spec section 3: admin 4, premium 3, basic 2, otherwise 1. */
const seededLevel = (user: { role: string; isAdmin: boolean }): number =>
  user.isAdmin || user.role === 'admin' ? 4 : user.role === 'premium' ? 3 : user.role === 'basic' ? 2 : 1;

/** Starts the session that an answer grants. @returns the sentence to show when it grants none, else null */
function startSessionFrom(answer: Authentication, refusal: string, next: string): string | null {
  if (!answer.authenticated || !answer.accessToken) return answer.error || refusal;
  startSession({ accessToken: answer.accessToken, accessLevel: answer.accessLevel }, next);
  return null;
}

const sentenceOf = (cause: unknown, refused: string, unreachable: string): string =>
  cause instanceof ApiError ? messageOf(cause, refused) : unreachable;
