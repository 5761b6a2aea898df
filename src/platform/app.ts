import type { AnyElysia } from 'elysia';
import type { SystemClock } from '#lib/clock.ts';
import type { DiskRoom } from '../lib/files.ts';
import type { CallFeed, HttpClient } from '#lib/httpClient/client.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { LineCount, Log } from '#lib/log.ts';
import type { Redactor } from '#lib/redact.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { Config } from '../config/config.ts';
import type { DataPaths } from '../config/dataPaths.ts';
import type { Db } from './db/open.ts';
import type { Connections } from './http/connections.ts';
import type { Route } from './http/routes.ts';
import type { About } from './install/about.ts';
import type { ProcessControl, Program } from './install/shared/processControl.ts';
import type { Room } from './install/shared/room.ts';

/**
 * The running server: its tools, and the service of every part by name. Each part declares its service next
 * to its code (`declare module`). `compose.ts` creates the parts in order. A part can use the services
 * created before it, and all of them once it runs.
 */
export interface App extends Connections {
  config: Config;
  db: Db;
  /** The wall clock. The market's own is `source.clock`. */
  clock: SystemClock;
  log: Log;
  /** The one client for calls to other servers. */
  http: HttpClient;
  /** Reports every call that `http` makes. */
  outgoing: CallFeed;
  schedule: Scheduler;
  /** Warnings and errors of the log since the start. */
  logged(): readonly LineCount[];
  /** URL-safe random text of at least 128 bits. */
  randomToken(): string;
  /** Signs session tokens. */
  jwtSecret: string;
  /** Hides the secrets of the configuration, and generated ones, in text that leaves the server. */
  redactor: Redactor;
  /** Absolute paths of the data folder and its contents. */
  paths: DataPaths;
  /** Free space of the data disk at this moment; null if the system does not report it. */
  diskRoom(): DiskRoom | null;
  about: About;
  control: ProcessControl;
  program: Program;
  /** Free space of the machine; replaced by tests of updates. */
  room?: Room;
}

/** The result of one run of `prune`. */
export type Pruned = {
  removed: number;
  /** True if more can be removed: `prune` is called again shortly. */
  hasMore: boolean;
};

/** A piece of the server. Making one starts neither a timer nor a request. All members except the name are optional. */
export interface Part {
  /** Name in the log. */
  readonly name: string;
  /**
   * Makes the HTTP routes. Called once, after the port is open, so that no start waits for them.
   *
   * @param api the application that serves the routes of all parts
   */
  readonly routes?: (api: AnyElysia) => readonly Route[];
  /** Hooks for all requests and answers. */
  readonly hooks?: () => AnyElysia;
  /** The interface for other parts. */
  readonly service?: unknown;
  start?(): void | Promise<void>;
  /** Safe to call twice, and on a part that was not started. */
  stop?(): void | Promise<void>;
  /** Removes some expired data in a short step. The nightly job repeats it until nothing is left. */
  prune?(): Pruned;
  inspect?(): Inspection;
  /** Further sections of the state inspector by key, if the part holds several things. */
  readonly alsoInspect?: Readonly<Record<string, () => Inspection>>;
}

/** Lets the other parts use the service of a part. @returns the part */
export function provide<Name extends keyof App, P extends Part & { service: App[Name] }>(
  app: App,
  name: Name,
  part: P,
): P {
  app[name] = part.service;
  return part;
}
