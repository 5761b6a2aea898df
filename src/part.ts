import type { AnyElysia } from 'elysia';
import type { Config } from './config/config.ts';
import type { Route } from './platform/http/routes.ts';
import type { Connections } from './platform/http/connections.ts';
import type { Db } from './platform/db/open.ts';
import type { SystemClock } from './lib/clock.ts';
import type { HttpClient } from './lib/httpClient/client.ts';
import type { Inspection } from './lib/inspection.ts';
import type { Log } from './lib/log.ts';
import type { TickListener } from './market/types.ts';
import type { MarketSource } from './sources/quotes/source.ts';

/** What every part may be made from; each names the members that it uses. */
export type Core = Connections & {
  config: Config;
  db: Db;
  /** The wall clock. The market's own is `source.clock`. */
  clock: SystemClock;
  log: Log;
  /** The one client for calls to other servers. */
  http: HttpClient;
  source: MarketSource;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
};

/** What one removal did. */
export type Pruned = {
  /** Rows or files that are gone. */
  removed: number;
  /** There is more: it is called again shortly. */
  hasMore: boolean;
};

/**
 * A piece of the server, made by a `create…(core, what it needs)`. Making it starts nothing, neither a
 * timer nor a request. Everything but the name is there only where the part has it.
 */
export type Part = {
  /** Names it in the log. */
  readonly name: string;
  /**
   * Makes its HTTP routes, which `app.ts` asks for once, after the port is open: no start waits for them.
   *
   * @param app which serves the routes of all parts
   */
  readonly routes?: (app: AnyElysia) => readonly Route[];
  /** Hooks for all requests and answers. */
  readonly hooks?: () => AnyElysia;
  /** What other parts may ask of it. */
  readonly service?: unknown;
  /** Hears of every tick. */
  readonly onChanges?: TickListener;
  /**
   * Hears that the market's clock was taken to another moment, back or ahead; the Market is in the state of that moment. What
   * the part remembers of the stocks, of time and of the session counts no more. The next tick follows at once.
   */
  readonly onJump?: () => void;
  start?(): void | Promise<void>;
  /** Safe to call on a part that was not started, or twice. */
  stop?(): void | Promise<void>;
  /**
   * Removes some of what is kept for a while and is too old now, little enough to hold nothing up. The nightly job calls it
   * until there is no more.
   */
  prune?(): Pruned;
  inspect?(): Inspection;
  /** Further sections of the state inspector, by their keys, where a part holds several things. */
  readonly alsoInspect?: Readonly<Record<string, () => Inspection>>;
};
