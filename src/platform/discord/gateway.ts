import { type GatewayDispatchPayload, GatewayIntentBits } from 'discord-api-types/v10';
import {
  type SessionInfo,
  SimpleShardingStrategy,
  WebSocketManager,
  WebSocketShardEvents,
} from '@discordjs/ws';
import { DiscordAPIError, type REST } from '@discordjs/rest';
import type { App } from '../app.ts';
import type { Discord } from './client.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { CallError } from '../chatClients/platformCall.ts';
import { CHECK_SERVICE } from '#texts/adminMessages.ts';

/**
 * Keeps the gateway session across connections, so that a new one resumes it. It also delays the library, which
 * asks for the session before each connection and would otherwise reconnect twice a second.
 */
type SessionKeeper = {
  read(): SessionInfo | null;
  write(session: SessionInfo | null): void;
  /** The network failed, so the session that the library drops is kept. */
  networkFailed(): void;
  succeeded(): void;
};

/** Failed resumes after which a session is dropped, because its address may be invalid. */
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

type Inner = {
  shards?: Map<number, { onMessage(data: unknown, isBinary: boolean): Promise<void> }>;
};

/** The library's strategy throws uncaught at messages of an unknown form. This one reports and skips them. */
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
  up(): void;
  alive(): void;
  down(reason: string): void;
  unreadable(error: unknown): void;
  failed(reason: string): void;
};

/** Why Discord refuses the bot, to complete "Discord …". */
export const BAD_TOKEN = 'does not accept the token';
export const BAD_INTENTS = 'does not allow the bot’s intents';

const AUTHENTICATION_FAILED = 4004;
const INVALID_INTENTS = 4013;
const DISALLOWED_INTENTS = 4014;
/** A session closed with 1000 could not be resumed. */
const RESUMABLE = 4200;

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
  /** Called before each further attempt of the library. Null ends the attempts. */
  pause(): Promise<void> | null;
};

/** One connection to the gateway. @discordjs/ws does heartbeats, resuming and reconnecting. */
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

  /** Resolves when the first session is up. @throws the reason if it can't be opened */
  open(): Promise<void> {
    return this.#manager.connect();
  }

  /** Ignores everything that the library does afterwards. */
  close(): void {
    this.#isClosed = true;
    // `destroy` waits for Discord, which may never answer.
    void Promise.resolve(this.#manager.destroy({ code: RESUMABLE })).catch(() => undefined);
  }

  /** The library calls this before each connection and waits for the answer. */
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

export type GatewayState = {
  state: 'off' | 'connecting' | 'up' | 'waiting';
  /** Why the connection is not or was not up; completes the sentence "Discord …". */
  problem: string | null;
  failures: number;
  connections: number;
};

const RULES = { intervalMs: 1000, maxWaitMs: 5 * 60_000 };
/** After this many failures in a row the gateway's address is requested again. */
const MAX_LIBRARY_TRIES = 4;
const WATCH_EVERY_MS = 30_000;
/** Heartbeats are 41 s apart. */
const SILENT_AFTER_MS = 3 * 60_000;

const WHAT = 'Discord bot';
const NO_MORE_SESSIONS = 'allows no further sessions today';
const REMEDIES: Readonly<Record<string, string>> = {
  [BAD_TOKEN]:
    'In Discord’s developer portal, under Bot, reset the token. Set BELLBIRD_DISCORD_TOKEN to the new one, and restart.',
  [BAD_INTENTS]: 'In Discord’s developer portal, under Bot, switch on the bot’s intents, and restart.',
  [NO_MORE_SESSIONS]:
    'Another program may use the same token. In Discord’s developer portal, under Bot, reset it, or wait until tomorrow.',
};

/** Why a connection failed, without address or token. */
function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.reason;
  if (error instanceof DiscordAPIError) {
    return error.status === 401 ? BAD_TOKEN : `answered with status ${error.status}`;
  }
  return error instanceof Error && /sessions remaining/.test(error.message)
    ? NO_MORE_SESSIONS
    : 'refused the connection';
}

/**
 * Keeps a connection to Discord's gateway. It resumes a broken session, reconnects with growing delays if that
 * fails, and drops a silent connection.
 */
export class Gateway {
  readonly #keeper = createSessionKeeper();
  #now: GatewayState = { state: 'off', problem: null, failures: 0, connections: 0 };
  #connection: Connection | null = null;
  #aliveAt = 0;
  #warned: string | null = null;
  #cancelNext = (): void => undefined;
  #cancelWatch = (): void => undefined;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly discord: Discord,
    private readonly dispatch: ConnectionEvents['dispatch'],
    private readonly random: () => number = Math.random,
  ) {
    this.#log = app.log.child('discord');
  }

  start(): void {
    if (this.#now.state !== 'off') return;
    this.#connect();
    this.#watchLater();
  }

  stop(): void {
    this.#cancelNext();
    this.#cancelWatch();
    this.#connection?.close();
    this.#connection = null;
    this.#now = { ...this.#now, state: 'off' };
  }

  state(): GatewayState {
    return this.#now;
  }

  /** The status of the connection; null until Discord has answered. */
  checkResult(): CheckResult | null {
    const { state, problem } = this.#now;
    if (problem === null) return state === 'up' ? good(WHAT, 'The bot is connected to Discord.') : null;
    const message = `Discord ${problem}.`;
    const remedy = REMEDIES[problem];
    return remedy === undefined ? doubtful(WHAT, message, CHECK_SERVICE) : bad(WHAT, message, remedy);
  }

  #connect(): void {
    const { rest, token } = this.discord;
    this.#alive();
    this.#now = { ...this.#now, state: 'connecting', connections: this.#now.connections + 1 };
    const pause = (): Promise<void> | null => this.#pause();
    const made = new Connection({ rest, token, keeper: this.#keeper, pause, events: this.#events() });
    this.#connection = made;
    made.open().catch((error: unknown) => {
      if (this.#connection === made) this.#fail(reasonOf(error));
    });
  }

  #events(): ConnectionEvents {
    return {
      dispatch: (payload) => {
        this.#alive();
        this.dispatch(payload);
      },
      up: () => this.#isUp(),
      alive: () => this.#alive(),
      down: (reason) => this.#noteFailure(reason, 'connecting'),
      unreadable: (error) => this.#log.warn('Discord sent an event in an unknown format', { error }),
      failed: (reason) => this.#fail(reason),
    };
  }

  #alive(): void {
    this.#aliveAt = this.app.clock.monotonic();
  }

  #isUp(): void {
    this.#alive();
    if (this.#warned !== null) {
      this.#log.info('Discord is connected again', { failures: this.#now.failures });
    }
    this.#warned = null;
    this.#now = { ...this.#now, state: 'up', problem: null, failures: 0 };
  }

  #waitMs(): number {
    return backoff(this.#now.failures, null, RULES, this.random());
  }

  /** The library waits half a second, which is enough the first time. */
  #pause(): Promise<void> | null {
    if (this.#now.failures <= 1) return Promise.resolve();
    if (this.#now.failures <= MAX_LIBRARY_TRIES) {
      return new Promise((resume) => {
        this.#cancelNext = this.app.schedule(this.#waitMs(), resume);
      });
    }
    this.#fail(this.#now.problem ?? 'refused the connection');
    return null;
  }

  #fail(reason: string): void {
    this.#connection?.close();
    this.#connection = null;
    this.#noteFailure(reason, 'waiting');
    this.#cancelNext = this.app.schedule(this.#waitMs(), () => this.#connect());
  }

  /** Discord disconnects its clients every few hours and accepts them again immediately, which needs no warning. */
  #noteFailure(reason: string, state: GatewayState['state']): void {
    const log = this.#log;
    const isRoutine = state === 'connecting' && this.#now.failures === 0;
    const write = isRoutine || reason === this.#warned ? log.debug : log.warn;
    if (!isRoutine) this.#warned = reason;
    this.#now = { ...this.#now, state, problem: reason, failures: this.#now.failures + 1 };
    write(`Discord ${reason}`, { failures: this.#now.failures });
  }

  #watchLater(): void {
    this.#cancelWatch = this.app.schedule(WATCH_EVERY_MS, () => this.#watch());
  }

  #watch(): void {
    this.#watchLater();
    const silentMs = this.app.clock.monotonic() - this.#aliveAt;
    if (this.#connection !== null && silentMs > SILENT_AFTER_MS) this.#fail('stopped answering');
  }
}
