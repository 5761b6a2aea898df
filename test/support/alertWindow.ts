import { startLive } from '#web/live/market.ts';
import type { AlertEventName, FromWindow, ToWindow } from '#web/live/stream/protocol.ts';

/** A token in the server’s format for a user id. */
export const tokenOf = (uid: number): string => `h.${btoa(JSON.stringify({ uid }))}.s`;

/** The alert stream’s event for an alert that fired. */
export const aTrigger = (change: Record<string, unknown> = {}) => ({
  alertId: 3,
  timestamp: new Date().toISOString(),
  deactivated: false,
  symbol: 'BHP',
  name: 'Breakout',
  text: 'BHP 50.61 ▲ +1.7% · last crossed above 50.50 · 10:42 Sydney',
  seen: [],
  ...change,
});

/** The owner of the streams as one window sees it: it records the window’s messages, and the test sends its own. */
export function fakeHolder() {
  const sent: FromWindow[] = [];
  let receive: (message: ToWindow) => void = () => undefined;
  const stop = startLive((listener) => {
    receive = listener;
    return (message) => sent.push(message);
  });
  return {
    stop,
    /** The window’s messages about sessions, in order. */
    sessions: () => sent.filter((message) => message.type === 'session'),
    receive: (message: ToWindow) => receive(message),
    event: (name: AlertEventName, data: unknown, { id = '', isLead = true } = {}) =>
      receive({ type: 'alert', name, data: JSON.stringify(data), id, isLead }),
  };
}
