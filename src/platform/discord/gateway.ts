import { DiscordAPIError } from '@discordjs/rest';
import type { App } from '../app.ts';
import type { Discord } from './client.ts';
import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import { backoff } from '#lib/httpClient/pollLoop.ts';
import type { Log } from '#lib/log.ts';
import { CallError } from '../chatClients/platformCall.ts';
import {
  BAD_INTENTS,
  BAD_TOKEN,
  Connection,
  type ConnectionEvents,
  createSessionKeeper,
} from './connection.ts';
import { LOOK_AT_SERVICE } from '#texts/adminMessages.ts';

export type GatewayState = {
  state: 'off' | 'connecting' | 'up' | 'waiting';
  /** Why it is not up, or was not until now; completes the sentence "Discord …". */
  problem: string | null;
  /** In a row. */
  failures: number;
  connections: number;
};

const RULES = { intervalMs: 1000, maxWaitMs: 5 * 60_000 };
/** After as many failures in a row everything begins again, with the address of the gateway. */
const MAX_LIBRARY_TRIES = 4;
const WATCH_EVERY_MS = 30_000;
/** Heartbeats come every 41 s. */
const SILENT_AFTER_MS = 3 * 60_000;

const WHAT = 'Discord bot';
const NO_MORE_SESSIONS = 'allows no more sessions today';
/** What only an administrator can help with. */
const REMEDIES: Readonly<Record<string, string>> = {
  [BAD_TOKEN]:
    'Reset the token in Discord’s developer portal, under Bot, set BELLBIRD_DISCORD_TOKEN to the new one, and restart.',
  [BAD_INTENTS]: 'Switch on the intents of the bot in Discord’s developer portal, under Bot, and restart.',
  [NO_MORE_SESSIONS]:
    'Another program may use the same token. Reset it in Discord’s developer portal, under Bot, or wait until tomorrow.',
};

/** Why a connection could not be made, without address or token. */
function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.reason;
  if (error instanceof DiscordAPIError) {
    return error.status === 401 ? BAD_TOKEN : `answered with status ${error.status}`;
  }
  return error instanceof Error && /sessions remaining/.test(error.message)
    ? NO_MORE_SESSIONS
    : 'could not be connected to';
}

/**
 * Keeps a connection to Discord's gateway for ever: what breaks is resumed, what can't be resumed begins again, later and
 * later while it fails, and what gives no sign of life is given up.
 */
export class Gateway {
  readonly #keeper = createSessionKeeper();
  #now: GatewayState = { state: 'off', problem: null, failures: 0, connections: 0 };
  #connection: Connection | null = null;
  #aliveAt = 0;
  /** What the log said last of this outage. */
  #warned: string | null = null;
  #cancelNext = (): void => undefined;
  #cancelWatch = (): void => undefined;

  readonly #log: Log;

  /** @param random from 0 to below 1 */
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

  /** How the connection stands; null until Discord has answered. */
  finding(): Finding | null {
    const { state, problem } = this.#now;
    if (problem === null) return state === 'up' ? good(WHAT, 'The bot is connected to Discord.') : null;
    const says = `Discord ${problem}.`;
    const remedy = REMEDIES[problem];
    return remedy === undefined ? doubtful(WHAT, says, LOOK_AT_SERVICE) : bad(WHAT, says, remedy);
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
      unreadable: (error) => this.#log.warn('Discord sent something of an unknown form', { error }),
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

  /** The library waits half a second by itself: that is enough the first time. */
  #pause(): Promise<void> | null {
    if (this.#now.failures <= 1) return Promise.resolve();
    if (this.#now.failures <= MAX_LIBRARY_TRIES) {
      return new Promise((resume) => {
        this.#cancelNext = this.app.schedule(this.#waitMs(), resume);
      });
    }
    this.#fail(this.#now.problem ?? 'could not be connected to');
    return null;
  }

  #fail(reason: string): void {
    this.#connection?.close();
    this.#connection = null;
    this.#noteFailure(reason, 'waiting');
    this.#cancelNext = this.app.schedule(this.#waitMs(), () => this.#connect());
  }

  /** Discord sends its clients away every few hours, and takes them again at once: that is nothing to warn of. */
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
    if (this.#connection !== null && silentMs > SILENT_AFTER_MS) this.#fail('gave no sign of life');
  }
}
