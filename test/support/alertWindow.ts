import { startLive } from '#web/live/market.ts';
import type { AlertEventName, FromWindow, ToWindow } from '#web/live/stream/protocol.ts';

/** A token as the server makes it, of a user by id. */
export const tokenOf = (uid: number): string => `h.${btoa(JSON.stringify({ uid }))}.s`;

/** What the alert stream says of an alert that fired. */
export const aTrigger = (change: Record<string, unknown> = {}) => ({
  alertId: 3,
  timestamp: new Date().toISOString(),
  deactivated: false,
  symbol: 'BHP',
  name: 'Breakout',
  text: 'BHP 50.61 ▲ +1.7 % · last crossed above 50.50 · 10:42 Sydney',
  seen: [],
  ...change,
});

/** The holder of the streams as one window sees it: what the window says is kept, and a test speaks in its place. */
export function fakeHolder() {
  const said: FromWindow[] = [];
  let receive: (message: ToWindow) => void = () => undefined;
  const stop = startLive((take) => {
    receive = take;
    return (message) => said.push(message);
  });
  return {
    stop,
    /** What the window said of sessions, in order. */
    sessions: () => said.filter((message) => message.type === 'session'),
    say: (message: ToWindow) => receive(message),
    event: (name: AlertEventName, data: unknown, { id = '', isLead = true } = {}) =>
      receive({ type: 'alert', name, data: JSON.stringify(data), id, isLead }),
  };
}
