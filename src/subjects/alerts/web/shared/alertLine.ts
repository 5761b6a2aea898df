import type { Send, SessionWord, ToWindow } from '#web/live/stream/protocol.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';

/** What the holder of the stream says of alerts. */
export type AlertMessage = Extract<ToWindow, { type: 'alert' | 'alertConnection' }>;

/** Far more than comes while the code that takes them is fetched; when it never comes, they do not pile up. */
const MAX_WAITING = 200;

let send: Send | null = null;
let hear: ((message: AlertMessage) => void) | null = null;
/** What came before anybody took it, with whose it is. */
let waiting: { token: string; message: AlertMessage }[] = [];

/** Gives the way to the holder of the stream; null when this window has let go of it. */
export function tellAlertLine(next: Send | null): void {
  send = next;
}

/**
 * Passes on what the holder of the stream says of alerts. Where another window has asked before, it speaks to this one
 * from the start: until somebody takes it, that waits.
 */
export function hearAlertLine(message: AlertMessage): void {
  if (hear) return hear(message);
  const token = session.peek().accessToken;
  if (token === null) return;
  waiting.push({ token, message });
  if (waiting.length > MAX_WAITING) waiting.shift();
}

/** Takes what is said of alerts from now on, first what waited for this session; null takes nothing. */
export function takeAlertLine(listener: ((message: AlertMessage) => void) | null): void {
  hear = listener;
  if (listener === null) return;
  const waited = waiting;
  waiting = [];
  for (const { token, message } of waited) if (token === session.peek().accessToken) listener(message);
}

/** Says whose alerts this window wants. */
export function saySession(word: Omit<SessionWord, 'type'>): void {
  send?.({ type: 'session', ...word });
}
