import { type GatewayDispatchPayload, GatewayIntentBits } from 'discord-api-types/v10';
import {
  type SessionInfo,
  WebSocketManager,
  WebSocketShardEvents,
  SimpleShardingStrategy,
} from '@discordjs/ws';
import type { REST } from '@discordjs/rest';

/**
 * Keeps the gateway session over connections, so that a new one goes on where the last one broke off. It also slows the
 * library down, which by itself would connect twice a second for as long as the network is away: it asks for the session
 * before each connection, and waits for the answer.
 */
type SessionKeeper = {
  read(): SessionInfo | null;
  write(session: SessionInfo | null): void;
  /** The connection broke for reasons of the network: what the library forgets for that is kept. */
  networkFailed(): void;
  /** A session is up. */
  succeeded(): void;
};

/** After as many failures with it, a session is given up: its address may be gone. */
const MAX_TRIES = 3;

export function createSessionKeeper(): SessionKeeper {
  let session: SessionInfo | null = null;
  let isNetworkDown = false;
  let tries = 0;
  return {
    read: () => session,
    write(next) {
      if (next === null && isNetworkDown && tries < MAX_TRIES) return;
      session = next;
    },
    networkFailed() {
      isNetworkDown = true;
      tries += 1;
      if (tries >= MAX_TRIES) session = null;
    },
    succeeded() {
      isNetworkDown = false;
      tries = 0;
    },
  };
}

/** What the library has and does not declare. */
type Inner = {
  shards?: Map<number, { onMessage(data: unknown, isBinary: boolean): Promise<void> }>;
};

/**
 * As the library's own, which throws at a message of an unknown form where nobody catches it. That one is passed over
 * here, and told.
 */
class GuardedStrategy extends SimpleShardingStrategy {
  readonly #unreadable: (error: unknown) => void;

  constructor(manager: WebSocketManager, unreadable: (error: unknown) => void) {
    super(manager);
    this.#unreadable = unreadable;
  }

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds);
    const { shards = new Map() } = this as unknown as Inner;
    for (const shard of shards.values()) {
      const read = shard.onMessage.bind(shard);
      shard.onMessage = async (data: unknown, isBinary: boolean) => {
        try {
          await read(data, isBinary);
        } catch (error) {
          this.#unreadable(error);
        }
      };
    }
  }
}

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

/** Why Discord refuses the bot, to complete "Discord …". */
export const BAD_TOKEN = 'does not accept the token';
export const BAD_INTENTS = 'does not allow the bot’s intents';

const AUTHENTICATION_FAILED = 4004;
const INVALID_INTENTS = 4013;
const DISALLOWED_INTENTS = 4014;
/** Closed with 1000, a session could not be resumed. */
const RESUMABLE = 4200;

/** Never settles: the library waits for it instead of connecting. */
const never = (): Promise<never> => new Promise(() => {});

function closeReason(code: number): string {
  if (code === AUTHENTICATION_FAILED) return BAD_TOKEN;
  if (code === INVALID_INTENTS || code === DISALLOWED_INTENTS) return BAD_INTENTS;
  return `closed the connection (code ${code})`;
}

function failureReason({ message }: Error): string {
  if (/authentication/i.test(message)) return BAD_TOKEN;
  return /intents/i.test(message) ? BAD_INTENTS : 'ended the session';
}

type ConnectionOptions = {
  rest: REST;
  token: string;
  keeper: SessionKeeper;
  events: ConnectionEvents;
  /** Asked before each further attempt that the library makes; null ends it. */
  pause(): Promise<void> | null;
};

/** One connection to the gateway with everything that @discordjs/ws does by itself: heartbeats, resuming, reconnecting. */
export class Connection {
  readonly #manager: WebSocketManager;
  #isClosed = false;
  #isDown = false;

  constructor(private readonly options: ConnectionOptions) {
    const { rest, token, keeper, events } = options;
    this.#manager = new WebSocketManager({
      token,
      rest,
      intents: GatewayIntentBits.DirectMessages,
      shardCount: 1,
      shardIds: [0],
      helloTimeout: 20_000,
      buildStrategy: (made) => new GuardedStrategy(made, events.unreadable),
      retrieveSessionInfo: () => this.#sessionInfo(),
      updateSessionInfo: (_shard, session) => {
        if (!this.#isClosed) keeper.write(session);
      },
    });
    this.#listen();
  }

  /** Resolves when the first session is up. @throws why it could not be */
  open(): Promise<void> {
    return this.#manager.connect();
  }

  /** Nothing comes of it any more, whatever the library still does. */
  close(): void {
    this.#isClosed = true;
    // It waits for the other side, which may never answer.
    void Promise.resolve(this.#manager.destroy({ code: RESUMABLE })).catch(() => undefined);
  }

  /** What the library asks for before each connection, which waits for the answer. */
  async #sessionInfo(): Promise<SessionInfo | null> {
    if (this.#isClosed) return never();
    if (this.#isDown) {
      const pausing = this.options.pause();
      if (!pausing) return never();
      await pausing;
      this.#isDown = false;
      if (this.#isClosed) return never();
    }
    return this.options.keeper.read();
  }

  #listen(): void {
    const { keeper, events } = this.options;
    const isUp = this.#whileOpen(() => {
      keeper.succeeded();
      events.up();
    });
    const isDown = this.#whileOpen((code: number) => {
      this.#isDown = true;
      events.down(closeReason(code));
    });
    const hasFailed = this.#whileOpen((error: Error) => events.failed(failureReason(error)));
    this.#manager.on(WebSocketShardEvents.Ready, isUp);
    this.#manager.on(WebSocketShardEvents.Resumed, isUp);
    this.#manager.on(WebSocketShardEvents.HeartbeatComplete, this.#whileOpen(events.alive));
    this.#manager.on(WebSocketShardEvents.Dispatch, this.#whileOpen(events.dispatch));
    this.#manager.on(WebSocketShardEvents.Closed, isDown);
    this.#manager.on(
      WebSocketShardEvents.SocketError,
      this.#whileOpen(() => keeper.networkFailed()),
    );
    this.#manager.on(WebSocketShardEvents.Error, hasFailed);
  }

  #whileOpen<Args extends unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      if (!this.#isClosed) act(...args);
    };
  }
}
