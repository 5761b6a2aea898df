import { type GatewayDispatchPayload, GatewayIntentBits } from 'discord-api-types/v10';
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import type { REST } from '@discordjs/rest';
import { GuardedStrategy } from './guardedStrategy.ts';
import type { SessionKeeper } from './sessionKeeper.ts';

export type ConnectionEvents = {
  dispatch(payload: GatewayDispatchPayload): void;
  /** A session began or goes on. */
  up(): void;
  /** A sign of life. */
  alive(): void;
  /** The connection is lost; the library is about to make another. */
  down(reason: string): void;
  /** Something came in a form that nobody knows; it is passed over. */
  unreadable(error: unknown): void;
  /** The library does not go on by itself. */
  failed(reason: string): void;
};

export type Connection = {
  /** Resolves when the first session is up. @throws why it could not be */
  open(): Promise<void>;
  /** Nothing comes of it any more, whatever the library still does. */
  close(): void;
};

const AUTHENTICATION_FAILED = 4004;
/** Closed with 1000, a session could not be resumed. */
const RESUMABLE = 4200;

/** Never settles: the library waits for it instead of connecting. */
const never = (): Promise<never> => new Promise(() => {});

const closeReason = (code: number): string =>
  code === AUTHENTICATION_FAILED ? 'does not accept the token' : `closed the connection (code ${code})`;

/**
 * One connection to the gateway with everything that @discordjs/ws does by itself: heartbeats, resuming, reconnecting.
 *
 * @param pause asked before each further attempt that the library makes; null ends it
 */
export function createConnection(options: {
  rest: REST;
  token: string;
  keeper: SessionKeeper;
  events: ConnectionEvents;
  pause(): Promise<void> | null;
}): Connection {
  const { rest, token, keeper, events, pause } = options;
  let isClosed = false;
  let isDown = false;
  const pauseOver = async (pausing: Promise<void>): Promise<SessionInfo | null> => {
    await pausing;
    isDown = false;
    return isClosed ? never() : keeper.read();
  };
  const manager = new WebSocketManager({
    token,
    rest,
    intents: GatewayIntentBits.DirectMessages,
    shardCount: 1,
    shardIds: [0],
    helloTimeout: 20_000,
    buildStrategy: (made) => new GuardedStrategy(made, events.unreadable),
    retrieveSessionInfo: async () => {
      if (isClosed) return never();
      const pausing = isDown ? pause() : null;
      if (isDown) return pausing ? pauseOver(pausing) : never();
      return keeper.read();
    },
    updateSessionInfo: (_shard, session) => {
      if (!isClosed) keeper.write(session);
    },
  });
  const whileOpen =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): void => {
      if (!isClosed) act(...args);
    };
  const isUp = whileOpen(() => {
    keeper.succeeded();
    events.up();
  });
  manager.on(WebSocketShardEvents.Ready, isUp);
  manager.on(WebSocketShardEvents.Resumed, isUp);
  manager.on(WebSocketShardEvents.HeartbeatComplete, whileOpen(events.alive));
  manager.on(WebSocketShardEvents.Dispatch, whileOpen(events.dispatch));
  manager.on(
    WebSocketShardEvents.Closed,
    whileOpen((code) => {
      isDown = true;
      events.down(closeReason(code));
    }),
  );
  manager.on(
    WebSocketShardEvents.SocketError,
    whileOpen(() => keeper.networkFailed()),
  );
  manager.on(
    WebSocketShardEvents.Error,
    whileOpen((error) =>
      events.failed(
        /authentication/i.test(error.message) ? 'does not accept the token' : 'ended the session',
      ),
    ),
  );
  return {
    open: () => manager.connect(),
    close() {
      isClosed = true;
      // It waits for the other side, which may never answer.
      void Promise.resolve(manager.destroy({ code: RESUMABLE })).catch(() => undefined);
    },
  };
}
