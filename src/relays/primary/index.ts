import { keyedHash } from '#lib/secrets.ts';
import { hostname } from 'node:os';
import type { About } from '#platform/install/about.ts';
import type { Config } from '#src/config/config.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Db } from '#platform/db/open.ts';
import { createEngine } from '../engine/engine.ts';
import { PROTOCOL } from '../engine/frame.ts';
import { Primary } from './primary.ts';
import { gte } from 'drizzle-orm';
import { loginSessions } from '#platform/db/schema.ts';

/** Tolerated difference between the clocks of two processes, ms. */
const OVERLAP_MS = 5000;

/**
 * Finds login sessions ended by another process, such as the command line, through the database's count of
 * foreign changes.
 * @returns the users since its last call; some may repeat
 */
function createEndedSessions({ db, clock }: { db: Db; clock: SystemClock }): () => number[] {
  const version = db.$client.prepare<{ data_version: number }, []>('PRAGMA data_version');
  const read = (): number => version.get()?.data_version ?? 0;
  let known = read();
  let since = clock.now();
  return () => {
    const current = read();
    if (current === known) return [];
    known = current;
    const from = since - OVERLAP_MS;
    since = clock.now();
    const rows = db
      .selectDistinct({ userId: loginSessions.userId })
      .from(loginSessions)
      .where(gte(loginSessions.revokedAt, from))
      .all();
    return rows.map(({ userId }) => userId);
  };
}

export type PrimaryNeeds = {
  config: Pick<Config, 'relays' | 'streams'>;
  db: Db;
  clock: SystemClock;
  log: Log;
  about: Pick<About, 'version' | 'commit'>;
  jwtSecret: string;
};

/** The name of a data folder for other primaries, without revealing its secret. */
const instanceOf = (jwtSecret: string): string =>
  keyedHash(jwtSecret, 'bellbird relay primary', 'hex').slice(0, 32);

/** The primary's side of the relays; it connects later. @returns null if no Redis or Valkey server is set */
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
