import type { Port, Ports } from './ports.ts';
import { ALERT_EVENTS, type AlertEventName, type Connection, type SessionWord } from './protocol.ts';
import { createReconnectingSource, type ReconnectingSource, type SourceDeps } from './reconnectingSource.ts';

const ALERTS_URL = '/api/user/alerts/stream';

/** The alert stream of a browser: one for all of its windows, while somebody is signed in. */
export type AlertSource = {
  /** A window says whose alerts it wants, and becomes the lead. */
  session(port: Port, word: SessionWord): void;
  /** A window came into view, or the user doubts what is shown. */
  shown(): void;
  /** There are windows again, or none. */
  start(): void;
  stop(): void;
};

type AlertState = {
  readonly deps: SourceDeps;
  readonly ports: Pick<Ports, 'all' | 'toAll'>;
  token: string | null;
  lastEventId: string;
  lead: Port | null;
  source: ReconnectingSource | null;
  connection: Connection;
};

export function createAlertSource(deps: SourceDeps, ports: AlertState['ports']): AlertSource {
  const state: AlertState = {
    deps,
    ports,
    token: null,
    lastEventId: '',
    lead: null,
    source: null,
    connection: 'connecting',
  };
  return {
    session: (port, word) => takeSession(state, port, word),
    shown: () => state.source?.shown(),
    start: () => start(state),
    stop: () => stop(state),
  };
}

function takeSession(state: AlertState, port: Port, { token, lastEventId }: SessionWord): void {
  state.lead = port;
  if (token !== state.token) {
    stop(state);
    state.token = token;
    state.lastEventId = lastEventId;
    start(state);
  }
  port(connectionOf(state));
}

const connectionOf = ({ connection, lastEventId }: AlertState) =>
  ({ type: 'alertConnection', connection, lastEventId }) as const;

function start(state: AlertState): void {
  const { deps, token } = state;
  if (token === null || state.source) return;
  const take = (name: AlertEventName) => (data: string, id: string) => takeEvent(state, name, data, id);
  state.source = createReconnectingSource(
    deps,
    () => `${ALERTS_URL}?token=${encodeURIComponent(token)}`,
    {
      events: {
        ...Object.fromEntries(ALERT_EVENTS.map((name) => [name, take(name)])),
        ping: (_, id) => takePing(state, id),
      },
      connection: (next) => takeConnection(state, next),
    },
    state.lastEventId,
  );
  state.source.start();
}

function stop(state: AlertState): void {
  state.source?.stop();
  state.source = null;
  state.connection = 'connecting';
}

function takeEvent(state: AlertState, name: AlertEventName, data: string, id: string): void {
  if (id) state.lastEventId = id;
  const windows = state.ports.all();
  // The lead may have gone without a word.
  const lead = windows.find((port) => port === state.lead) ?? windows[0];
  for (const port of windows) port({ type: 'alert', name, data, id, isLead: port === lead });
}

/** The first ping says where the stream is, also for a user whose alerts never fired. */
function takePing(state: AlertState, id: string): void {
  if (!id || id === state.lastEventId) return;
  state.lastEventId = id;
  state.ports.toAll(connectionOf(state));
}

function takeConnection(state: AlertState, next: Connection): void {
  if (next === state.connection) return;
  state.connection = next;
  state.ports.toAll(connectionOf(state));
}
