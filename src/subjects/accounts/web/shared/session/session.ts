import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { LOGIN_PATH } from '#web/router/routes.ts';
import { onStored, readStoredText, writeStoredText } from '#web/shared/storage.ts';
import { BASIC_AUTH_COOKIE, TOKEN_HEADER } from '#platform/http/rules/accessLevel.ts';
import { type Cause, forgetInterruption, keepInterruption, resume, routeBack } from './interruption.ts';

type Session = { isAuthenticated: boolean; accessToken: string | null; accessLevel: number };

const TOKEN_KEY = 'accessToken';
const LEVEL_KEY = 'accessLevel';
/** Storage key of why a session ended, for other windows. */
const CAUSE_KEY = 'bellbird.sessionEnd';
const LINK_KEY = 'pendingLinkToken';

const SIGNED_OUT: Session = { isAuthenticated: false, accessToken: null, accessLevel: 0 };

function readSession(): Session {
  const accessToken = readStoredText(TOKEN_KEY);
  if (!accessToken) return SIGNED_OUT;
  const level = Number(readStoredText(LEVEL_KEY));
  return {
    isAuthenticated: true,
    accessToken,
    accessLevel: Number.isInteger(level) && level > 0 ? level : 1,
  };
}

const state = signal<Session>(readSession());

/** The current session. Its level is only for display, because the server checks rights with every request. */
export const session: ReadonlySignal<Session> = state;

/** Headers with the token. A proxy with Basic authentication needs `Authorization` for itself. */
export const tokenHeaders = (token: string): Record<string, string> => ({
  [document.cookie.includes(BASIC_AUTH_COOKIE) ? TOKEN_HEADER : 'authorization']: token,
});

/**
 * Starts a session in all windows of this browser.
 * @param next destination, set in the same step so that no redirect of the old address runs; omit to stay
 */
export function startSession(answer: { accessToken: string; accessLevel: number }, next?: string): void {
  const { accessToken, accessLevel } = answer;
  writeStoredText(CAUSE_KEY, null);
  writeStoredText(LEVEL_KEY, String(accessLevel));
  writeStoredText(TOKEN_KEY, accessToken);
  batch(() => {
    resume(accessToken);
    state.value = { isAuthenticated: true, accessToken, accessLevel };
    if (next !== undefined) goTo(next);
  });
}

/**
 * Ends the session in all windows of this browser.
 * @param cause set if the user did not log out: the login screen shows it, and open input is kept
 */
export function endSession(cause: 'expired' | null = null): void {
  writeStoredText(CAUSE_KEY, cause);
  writeStoredText(TOKEN_KEY, null);
  writeStoredText(LEVEL_KEY, null);
  leave(cause);
}

/** Whether the last session expired, rather than ended by a logout. */
export const hasExpired = (): boolean => readStoredText(CAUSE_KEY) === 'expired';

/** Changes the access level in all windows of this browser. */
export function setAccessLevel(accessLevel: number): void {
  const now = state.peek();
  if (!now.isAuthenticated || now.accessLevel === accessLevel) return;
  writeStoredText(LEVEL_KEY, String(accessLevel));
  state.value = { ...now, accessLevel };
}

function leave(cause: Cause | null): void {
  const { isAuthenticated, accessToken } = state.peek();
  batch(() => {
    // Done before the screen disappears, because its forms provide their input.
    if (cause === null) forgetInterruption();
    else if (isAuthenticated) keepInterruption(cause, accessToken, currentHash.peek());
    state.value = SIGNED_OUT;
    goTo(LOGIN_PATH);
  });
}

/** Follows logins and logouts in other windows. Returns the stop function. */
export function followOtherWindows(): () => void {
  return onStored([TOKEN_KEY, LEVEL_KEY], () => {
    const next = readSession();
    const now = state.peek();
    if (next.accessToken === now.accessToken && next.accessLevel === now.accessLevel) return;
    if (next.accessToken === null) {
      return leave(hasExpired() ? 'expired' : 'elsewhere');
    }
    const { accessToken } = next;
    batch(() => {
      const back = routeBack(accessToken);
      if (accessToken !== now.accessToken) resume(accessToken);
      state.value = next;
      if (!now.isAuthenticated && back !== null) goTo(back);
    });
  });
}

/** A token of a chat link, which is claimed after the next login. */
export const pendingLinkToken = (): string | null => readStoredText(LINK_KEY);
export const keepLinkToken = (token: string | null): void => writeStoredText(LINK_KEY, token);

/** Ends the session here immediately, regardless of the server's answer. */
export async function logOut(): Promise<void> {
  const token = session.peek().accessToken;
  endSession();
  if (!token) return;
  try {
    await fetch('/api/logout', { method: 'POST', headers: tokenHeaders(token), keepalive: true });
  } catch {
    // Logout errors are ignored (specification, section 4), because this browser has already dropped the token.
  }
}
