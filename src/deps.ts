import type { Config } from './config.ts';
import type { Db } from './db/open.ts';
import type { Calls } from './features/calls/service.ts';
import type { Indicators } from './features/indicators/service.ts';
import type { Log } from './lib/log.ts';
import type { Market } from './market/types.ts';
import type { MarketSource } from './sources/quotes/source.ts';
import type { SystemClock } from './lib/clock.ts';
import type { StreamHub } from './stream/hub.ts';

/** Hashing costs 200 ms on purpose; tests pass a cheap one. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
};

/** The running program: what /healthz and the administrator see. */
export type About = {
  pid: number;
  /** Epoch ms of the process's start. */
  startedAt: number;
  version: string;
  commit: string;
};

/** Everything a feature may need, passed in; nothing is module-level, so a test starts any part with its own. */
export type Deps = {
  about: About;
  config: Config;
  db: Db;
  /** The wall clock. The market's own is `source.clock`. */
  clock: SystemClock;
  market: Market;
  source: MarketSource;
  stream: StreamHub;
  /** Trade ideas and their tracker; one per process. */
  calls: Calls;
  /** The indicator catalog, saved scans, and which values are in use. */
  indicators: Indicators;
  passwords: Passwords;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  log: Log;
  jwtSecret: string;
  /** The caller's address for rate limits; '' when unknown (in-process tests). */
  clientAddress(request: Request): string;
  /** Switches the idle timeout off for one streaming response. */
  keepOpen(request: Request): void;
};
