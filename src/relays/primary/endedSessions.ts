import { gte } from 'drizzle-orm';
import type { SystemClock } from '#lib/clock.ts';
import type { Db } from '#platform/db/open.ts';
import { loginSessions } from '#platform/db/schema.ts';

/** A clock that another process reads may differ a little, ms. */
const OVERLAP_MS = 5000;

/**
 * Finds login sessions that another process ended, as the command line does: the database counts the changes that others
 * made.
 * @returns a function that gives the users since its last call; some may be given twice
 */
export function createEndedSessions({ db, clock }: { db: Db; clock: SystemClock }): () => number[] {
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
