import { asc, desc, eq, lte, or, gt, sql } from 'drizzle-orm';
import { endpointCalls } from '../../../platform/db/administrationSchema.ts';
import type { Db } from '../../../platform/db/open.ts';
import type { EndpointCount } from './counts.ts';

/** SQL of the calls to other servers. Dates are those of Sydney, YYYY-MM-DD. */
export const endpointCallStore = (db: Db) => ({
  /** Adds counts to those that are there, all or none. */
  add(counts: readonly EndpointCount[]): void {
    db.transaction((tx) => {
      for (const count of counts) {
        tx.insert(endpointCalls)
          .values(count)
          .onConflictDoUpdate({
            target: [endpointCalls.date, endpointCalls.method, endpointCalls.endpoint],
            set: {
              count: sql`${endpointCalls.count} + excluded.count`,
              errors: sql`${endpointCalls.errors} + excluded.errors`,
              totalMs: sql`${endpointCalls.totalMs} + excluded.total_ms`,
              slowestMs: sql`max(${endpointCalls.slowestMs}, excluded.slowest_ms)`,
              lastAt: sql`excluded.last_at`,
              lastSuccessAt: sql`coalesce(excluded.last_success_at, ${endpointCalls.lastSuccessAt})`,
              lastError: sql`coalesce(excluded.last_error, ${endpointCalls.lastError})`,
            },
          })
          .run();
      }
    });
  },

  onDay: (date: string): EndpointCount[] =>
    db.select().from(endpointCalls).where(eq(endpointCalls.date, date)).all(),

  /** The days of which something is kept, newest first. */
  days: (): string[] =>
    db
      .selectDistinct({ date: endpointCalls.date })
      .from(endpointCalls)
      .orderBy(desc(endpointCalls.date))
      .all()
      .map(({ date }) => date),

  /** Everything that was ever called and is still kept. */
  known: (): Pick<EndpointCount, 'method' | 'endpoint'>[] =>
    db
      .selectDistinct({ method: endpointCalls.method, endpoint: endpointCalls.endpoint })
      .from(endpointCalls)
      .orderBy(asc(endpointCalls.endpoint))
      .all(),

  /** Removes what is as old as `oldest` or older, and what a wrong clock dated after `newest`. @returns how many rows */
  prune: (oldest: string, newest: string): number =>
    db
      .delete(endpointCalls)
      .where(or(lte(endpointCalls.date, oldest), gt(endpointCalls.date, newest)))
      .returning({ date: endpointCalls.date })
      .all().length,
});

export type EndpointCallStore = ReturnType<typeof endpointCallStore>;
