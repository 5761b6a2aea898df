import { keyedHash } from '#lib/keyedHash.ts';
import { hostname } from 'node:os';
import type { About } from '#src/about.ts';
import type { Config } from '#src/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Db } from '#platform/db/open.ts';
import { createEngine } from '../engine/engine.ts';
import { PROTOCOL } from '../engine/protocol.ts';
import { createEndedSessions } from './endedSessions.ts';
import { Primary } from './primary.ts';

export type PrimaryNeeds = {
  config: Pick<Config, 'relays' | 'streams'>;
  db: Db;
  clock: SystemClock;
  log: Log;
  about: Pick<About, 'version' | 'commit'>;
  /** Of the data folder, which is known by it again. */
  jwtSecret: string;
};

/** Names a data folder to other primaries, and tells nothing of its secret. */
const instanceOf = (jwtSecret: string): string =>
  keyedHash(jwtSecret, 'bellbird relay primary', 'hex').slice(0, 32);

/**
 * The primary's side of the relays, with a client of the message engine; nothing is connected yet.
 * @returns null where the settings name no message engine
 */
export function createPrimary({ config, db, clock, log, about, jwtSecret }: PrimaryNeeds): Primary | null {
  const { engineUrl: url, secret, name } = config.relays;
  if (url === null || secret === null) return null;
  const { version, commit } = about;
  const own = log.child('relays');
  return new Primary({
    engine: createEngine({ url, secret, clock, log: own }),
    clock,
    log: own,
    version: { protocol: PROTOCOL, version, commit },
    lease: { instance: instanceOf(jwtSecret), name: name ?? hostname(), since: clock.now() },
    streams: config.streams,
    endedSessions: createEndedSessions({ db, clock }),
  });
}
