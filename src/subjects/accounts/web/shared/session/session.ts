import { batch, type ReadonlySignal, signal } from '@preact/signals-react';
import { currentHash, goTo } from '#web/router/navigate.ts';
import { LOGIN_PATH } from '#web/router/routes.ts';
import { onStored, readStoredText, writeStoredText } from '#web/shared/storage.ts';
import { BASIC_AUTH_COOKIE, TOKEN_HEADER } from '#platform/http/rules/tokenHeader.ts';
import { type Cause, forgetInterruption, keepInterruption, resume, routeBack } from './interruption.ts';

export type Session = { isAuthenticated: boolean; accessToken: string | null; accessLevel: number };

const TOKEN_KEY = 'accessToken';
const LEVEL_KEY = 'accessLevel';
/** Tells the other windows why a session ended. */
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

/** Who is signed in. The level is for display only: the server decides rights on every request. */
export const session: ReadonlySignal<Session> = state;

/** The header with the token. A proxy with Basic authentication needs `Authorization` for itself. */
export const tokenHeaders = (token: string): Record<string, string> => ({
  [document.cookie.includes(BASIC_AUTH_COOKIE) ? TOKEN_HEADER : 'authorization']: token,
});

/**
 * Starts a session with what login, registration or seeding answered; other windows of this browser follow.
 * @param next where to go in the same step, so that no redirect of the old address comes between; without it the
 *   address stays
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
 * Ends the session in every window of this browser, and goes to /login in this one.
 * @param cause why, when nobody logged out: the login screen says it, and what was typed is kept
 */
export function endSession(cause: 'expired' | null = null): void {
  writeStoredText(CAUSE_KEY, cause);
  writeStoredText(TOKEN_KEY, null);
  writeStoredText(LEVEL_KEY, null);
  leave(cause);
}

/** Whether the session that ended last ran out, as against a logout. */
export const hasExpired = (): boolean => readStoredText(CAUSE_KEY) === 'expired';

/** The account may do more or less than before, here and in every window of this browser. */
export function setAccessLevel(accessLevel: number): void {
  const now = state.peek();
  if (!now.isAuthenticated || now.accessLevel === accessLevel) return;
  writeStoredText(LEVEL_KEY, String(accessLevel));
  state.value = { ...now, accessLevel };
}

function leave(cause: Cause | null): void {
  const { isAuthenticated, accessToken } = state.peek();
  batch(() => {
    // Before the screen goes: its forms are asked.
    if (cause === null) forgetInterruption();
    else if (isAuthenticated) keepInterruption(cause, accessToken, currentHash.peek());
    state.value = SIGNED_OUT;
    goTo(LOGIN_PATH);
  });
}

/** Follows sessions that start and end in other windows. Returns the stop function. */
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

/** The chat link that waits for a login to be claimed. */
export const pendingLinkToken = (): string | null => readStoredText(LINK_KEY);
export const keepLinkToken = (token: string | null): void => writeStoredText(LINK_KEY, token);
