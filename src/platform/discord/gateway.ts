import { DiscordAPIError, type REST } from '@discordjs/rest';
import type { SystemClock } from '../../lib/clock.ts';
import { backoff } from '../../lib/httpClient/backoff.ts';
import type { Log } from '../../lib/log.ts';
import type { Scheduler } from '../../lib/scheduler.ts';
import { CallError } from '../chatClients/platformCall.ts';
import { type Connection, type ConnectionEvents, createConnection } from './connection.ts';
import { createSessionKeeper } from './sessionKeeper.ts';

export type GatewayState = {
  state: 'off' | 'connecting' | 'up' | 'waiting';
  /** Why it is not up, or was not until now; completes the sentence "Discord …". */
  problem: string | null;
  /** In a row. */
  failures: number;
  connections: number;
};

export type Gateway = { start(): void; stop(): void; state(): GatewayState };

const RULES = { intervalMs: 1000, maxWaitMs: 5 * 60_000 };
/** After as many failures in a row everything begins anew, with the address of the gateway. */
const MAX_LIBRARY_TRIES = 4;
const WATCH_EVERY_MS = 30_000;
/** Heartbeats come every 41 s. */
const SILENT_AFTER_MS = 3 * 60_000;

/** Why a connection could not be made, without address or token. */
function reasonOf(error: unknown): string {
  if (error instanceof CallError) return error.reason;
  if (error instanceof DiscordAPIError) {
    return error.status === 401 ? 'does not accept the token' : `answered with status ${error.status}`;
  }
  return error instanceof Error && /sessions remaining/.test(error.message)
    ? 'allows no more sessions today'
    : 'could not be connected to';
}

type GatewayOptions = {
  rest: REST;
  token: string;
  clock: SystemClock;
  log: Log;
  schedule: Scheduler;
  /** From 0 to below 1. */
  random(): number;
  dispatch: ConnectionEvents['dispatch'];
};

/**
 * Keeps a connection to Discord's gateway for ever: what breaks is resumed, what can't be resumed begins anew, later and
 * later while it fails, and what gives no sign of life is given up.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { rest, token, clock, log, schedule, random } = options;
  const keeper = createSessionKeeper();
  let now: GatewayState = { state: 'off', problem: null, failures: 0, connections: 0 };
  let connection: Connection | null = null;
  let aliveAt = 0;
  /** What the log said last of this outage. */
  let warned: string | null = null;
  let cancelNext = (): void => undefined;
  let cancelWatch = (): void => undefined;

  const waitMs = (): number => backoff(now.failures, null, RULES, random());
  /** Discord sends its clients away every few hours, and takes them again at once: that is nothing to warn of. */
  const noteFailure = (reason: string, state: GatewayState['state']): void => {
    const isRoutine = state === 'connecting' && now.failures === 0;
    const write = isRoutine || reason === warned ? log.debug : log.warn;
    if (!isRoutine) warned = reason;
    now = { ...now, state, problem: reason, failures: now.failures + 1 };
    write(`Discord ${reason}`, { failures: now.failures });
  };

  const fail = (reason: string): void => {
    connection?.close();
    connection = null;
    noteFailure(reason, 'waiting');
    cancelNext = schedule(waitMs(), connect);
  };

  /** The library waits half a second by itself: that is enough the first time. */
  const pause = (): Promise<void> | null => {
    if (now.failures <= 1) return Promise.resolve();
    if (now.failures <= MAX_LIBRARY_TRIES) {
      return new Promise((resume) => {
        cancelNext = schedule(waitMs(), resume);
      });
    }
    fail(now.problem ?? 'could not be connected to');
    return null;
  };

  const alive = (): void => {
    aliveAt = clock.monotonic();
  };

  function connect(): void {
    alive();
    now = { ...now, state: 'connecting', connections: now.connections + 1 };
    const made = createConnection({
      rest,
      token,
      keeper,
      pause,
      events: {
        dispatch: (payload) => {
          alive();
          options.dispatch(payload);
        },
        up: () => {
          alive();
          if (warned !== null) log.info('Discord is connected again', { failures: now.failures });
          warned = null;
          now = { ...now, state: 'up', problem: null, failures: 0 };
        },
        alive,
        down: (reason) => noteFailure(reason, 'connecting'),
        unreadable: (error) => log.warn('Discord sent something of an unknown form', { error }),
        failed: fail,
      },
    });
    connection = made;
    made.open().catch((error: unknown) => {
      if (connection === made) fail(reasonOf(error));
    });
  }

  function watch(): void {
    cancelWatch = schedule(WATCH_EVERY_MS, watch);
    if (connection !== null && clock.monotonic() - aliveAt > SILENT_AFTER_MS) fail('gave no sign of life');
  }

  return {
    start() {
      if (now.state !== 'off') return;
      connect();
      cancelWatch = schedule(WATCH_EVERY_MS, watch);
    },
    stop() {
      cancelNext();
      cancelWatch();
      connection?.close();
      connection = null;
      now = { ...now, state: 'off' };
    },
    state: () => now,
  };
}
