import { type ReadonlySignal, signal } from '@preact/signals-react';
import { onStored, readStoredText, writeStoredText } from '../storage.ts';

export type Session = { isAuthenticated: boolean; accessToken: string | null; accessLevel: number };

const TOKEN_KEY = 'accessToken';
const LEVEL_KEY = 'accessLevel';
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

/** Keeps what login, registration or seeding answered; other windows of this browser follow. */
export function saveSession(answer: { accessToken: string; accessLevel: number }): void {
  writeStoredText(LEVEL_KEY, String(answer.accessLevel));
  writeStoredText(TOKEN_KEY, answer.accessToken);
  const { accessToken, accessLevel } = answer;
  state.value = { isAuthenticated: true, accessToken, accessLevel };
}

/** Forgets the session in every window of this browser. */
export function clearSession(): void {
  writeStoredText(TOKEN_KEY, null);
  writeStoredText(LEVEL_KEY, null);
  state.value = SIGNED_OUT;
}

/** Follows logins and logouts that happen in other windows. Returns the stop function. */
export function followOtherWindows(): () => void {
  return onStored([TOKEN_KEY, LEVEL_KEY], () => {
    const next = readSession();
    const now = state.peek();
    if (next.accessToken !== now.accessToken || next.accessLevel !== now.accessLevel) state.value = next;
  });
}

/** The chat link that waits for a login to be claimed. */
export const pendingLinkToken = (): string | null => readStoredText(LINK_KEY);
export const keepLinkToken = (token: string | null): void => writeStoredText(LINK_KEY, token);
