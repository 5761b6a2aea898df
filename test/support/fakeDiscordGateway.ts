import type { ServerWebSocket } from 'bun';
import { isRecord, type JsonRecord, parseJson } from '../../src/lib/json.ts';

type Event = { op: 0; s: number; t: string; d: unknown };
type Session = { id: string; events: Event[]; seq: number; socket: ServerWebSocket<SocketData> | null };
export type SocketData = { session: Session | null };

export type FakeGateway = {
  /** What Bun calls for each connection. */
  handlers: {
    open(socket: ServerWebSocket<SocketData>): void;
    message(socket: ServerWebSocket<SocketData>, text: string | Buffer): void;
    close(socket: ServerWebSocket<SocketData>): void;
  };
  /** Sends an event to the newest session, at once or when it resumes. */
  dispatch(type: string, data: unknown): void;
  /** Sends the newest event once more, as a replay after a resume can. */
  repeatLast(): void;
  /** Sends text as it stands to every connection. */
  sendRaw(text: string): void;
  /** Asks every connection to come back and resume. */
  reconnect(): void;
  /** Says that the session is invalid. */
  invalidate(canResume: boolean): void;
  /** Cuts every connection off without a word, or with a close code. */
  kill(code?: number): void;
  /** Closes every connection with a code, and each that says who it is; null ends it. */
  refuse(code: number | null): void;
  /** From now on no session can be resumed. */
  forgetSessions(): void;
  /** Whether heartbeats are acknowledged. */
  setAcks(on: boolean): void;
  /** Whether a client is told HELLO. */
  setHello(on: boolean): void;
  /** How often clients said what. */
  counts: { opened: number; identified: number; resumed: number; heartbeats: number };
  /** The newest IDENTIFY. */
  identity(): JsonRecord | null;
  /** True while a session is connected. */
  isConnected(): boolean;
};

const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  ack: 11,
} as const;

/** Discord's gateway: HELLO, heartbeats, IDENTIFY, READY, RESUME with what was missed, INVALID SESSION, RECONNECT. */
export function createFakeGateway(options: {
  token: string;
  heartbeatMs: number;
  readyData(): JsonRecord;
}): FakeGateway {
  const sockets = new Set<ServerWebSocket<SocketData>>();
  const sessions = new Map<string, Session>();
  const counts = { opened: 0, identified: 0, resumed: 0, heartbeats: 0 };
  let newest: Session | null = null;
  let identity: JsonRecord | null = null;
  let acks = true;
  let hello = true;
  let refusal: number | null = null;

  const send = (socket: ServerWebSocket<SocketData>, payload: unknown): void =>
    void socket.send(JSON.stringify(payload));
  const dispatchTo = (session: Session, t: string, d: unknown): void => {
    session.seq += 1;
    const event: Event = { op: OP.dispatch, s: session.seq, t, d };
    session.events.push(event);
    if (session.socket) send(session.socket, event);
  };

  const identify = (socket: ServerWebSocket<SocketData>, data: JsonRecord): void => {
    identity = data;
    counts.identified += 1;
    if (data['token'] !== options.token) return socket.close(4004, 'Authentication failed.');
    const session: Session = { id: crypto.randomUUID(), events: [], seq: 0, socket };
    socket.data.session = session;
    sessions.set(session.id, session);
    newest = session;
    dispatchTo(session, 'READY', { ...options.readyData(), session_id: session.id });
  };

  const resume = (socket: ServerWebSocket<SocketData>, data: JsonRecord): void => {
    counts.resumed += 1;
    const session = sessions.get(String(data['session_id']));
    if (!session || data['token'] !== options.token) return send(socket, { op: OP.invalid, d: false });
    socket.data.session = session;
    session.socket = socket;
    newest = session;
    for (const event of session.events) if (event.s > Number(data['seq'])) send(socket, event);
    dispatchTo(session, 'RESUMED', {});
  };

  return {
    counts,
    handlers: {
      open(socket) {
        counts.opened += 1;
        sockets.add(socket);
        if (hello) send(socket, { op: OP.hello, d: { heartbeat_interval: options.heartbeatMs } });
      },
      message(socket, text) {
        const parsed = parseJson(String(text));
        if (!parsed.ok || !isRecord(parsed.value)) return socket.close(4002, 'Decode error.');
        const { op, d } = parsed.value;
        const data = isRecord(d) ? d : {};
        if (refusal !== null && (op === OP.identify || op === OP.resume)) return socket.close(refusal);
        if (op === OP.identify) identify(socket, data);
        if (op === OP.resume) resume(socket, data);
        if (op !== OP.heartbeat) return;
        counts.heartbeats += 1;
        if (acks) send(socket, { op: OP.ack });
      },
      close(socket) {
        sockets.delete(socket);
        if (socket.data.session?.socket === socket) socket.data.session.socket = null;
      },
    },
    dispatch(type, data) {
      if (!newest) throw new Error('Nobody has identified.');
      dispatchTo(newest, type, data);
    },
    repeatLast() {
      const event = newest?.events.findLast(({ t }) => t !== 'RESUMED');
      if (newest?.socket && event) send(newest.socket, event);
    },
    sendRaw(text) {
      for (const socket of sockets) socket.send(text);
    },
    reconnect() {
      for (const socket of sockets) send(socket, { op: OP.reconnect, d: null });
    },
    invalidate(canResume) {
      if (!canResume) sessions.clear();
      for (const socket of sockets) send(socket, { op: OP.invalid, d: canResume });
    },
    kill(code) {
      for (const socket of sockets) {
        if (socket.data.session) socket.data.session.socket = null;
        if (code === undefined) socket.terminate();
        else socket.close(code);
      }
    },
    refuse(code) {
      refusal = code;
      if (code !== null) for (const socket of sockets) socket.close(code);
    },
    forgetSessions: () => sessions.clear(),
    setAcks: (on) => void (acks = on),
    setHello: (on) => void (hello = on),
    identity: () => identity,
    isConnected: () => newest?.socket != null,
  };
}
