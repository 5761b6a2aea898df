import { createEventReader, type StreamEvent } from './streamClient.ts';
import type { TestApp, TestRequest } from './testApp.ts';
import { waitUntil } from './waitUntil.ts';

const OF_ACCOUNT: ReadonlySet<string> = new Set([
  'account_changed',
  'sessions_ended',
  'calls_changed',
  'set_up_changed',
]);

export type AlertListener = {
  status: number;
  headers: Headers;
  /** All events except pings, and those about the account and the user’s own calls. */
  events: StreamEvent[];
  account: StreamEvent[];
  pings: StreamEvent[];
  /** Waits until the condition is true for the listener. */
  until(ready: (listener: AlertListener) => boolean): Promise<void>;
  /** The id from which it can resume. */
  lastId(): string | null;
  ended(): boolean;
  leave(): Promise<void>;
};

/** Opens a user’s alert stream in process, and waits until the server has sent the starting position. */
export async function listenToAlerts(
  app: TestApp,
  token: string,
  options: TestRequest & { lastEventId?: string; query?: string } = {},
): Promise<AlertListener> {
  const { query = `token=${token}`, lastEventId, ...request } = options;
  const headers = { ...request.headers, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
  const response = await app.open('GET', `/api/user/alerts/stream?${query}`, { ...request, headers });
  const events: StreamEvent[] = [];
  const pings: StreamEvent[] = [];
  const account: StreamEvent[] = [];
  let lastId: string | null = null;
  let ended = false;
  const read = createEventReader((event) => {
    lastId = event.id ?? lastId;
    if (event.event === 'ping') pings.push(event);
    else (OF_ACCOUNT.has(event.event) ? account : events).push(event);
  });
  const reader = response.body?.getReader();
  const pump = async (): Promise<void> => {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      read(new TextDecoder().decode(chunk.value));
    }
    ended = true;
  };
  void pump();
  const listener: AlertListener = {
    status: response.status,
    headers: response.headers,
    events,
    pings,
    account,
    until: (ready) => waitUntil('events of the alert stream', () => ready(listener)),
    lastId: () => lastId,
    ended: () => ended,
    leave: async () => reader?.cancel(),
  };
  if (response.status === 200) await listener.until(({ pings: received }) => received.length > 0);
  return listener;
}
