import type { Send, SessionWord, ToWindow } from '../live/stream/protocol.ts';

/** What the holder of the stream says of alerts. */
export type AlertMessage = Extract<ToWindow, { type: 'alert' | 'alertConnection' }>;

let send: Send | null = null;
let hear: ((message: AlertMessage) => void) | null = null;

/** Gives the way to the holder of the stream; null when this window has let go of it. */
export function tellAlertLine(next: Send | null): void {
  send = next;
}

/** Passes on what the holder of the stream says of alerts. It says nothing before somebody asked. */
export function hearAlertLine(message: AlertMessage): void {
  hear?.(message);
}

/** Takes what is said of alerts from now on; null takes nothing. */
export function takeAlertLine(listener: ((message: AlertMessage) => void) | null): void {
  hear = listener;
}

/** Says whose alerts this window wants. */
export function saySession(word: Omit<SessionWord, 'type'>): void {
  send?.({ type: 'session', ...word });
}
