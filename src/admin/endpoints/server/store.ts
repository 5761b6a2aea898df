import { asc, desc, eq, lte, or, gt, sql } from 'drizzle-orm';
import { endpointCalls } from '#src/tables/administrationSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { HttpCall } from '#lib/httpClient/client.ts';

/** Calls of one method to one endpoint on one Sydney day. Times are epoch ms. */
export type EndpointCount = {
  /** YYYY-MM-DD. */
  date: string;
  method: string;
  endpoint: string;
  count: number;
  errors: number;
  totalMs: number;
  slowestMs: number;
  lastAt: number;
  lastSuccessAt: number | null;
  /** What went wrong last, in a few words; null when nothing did. */
  lastError: string | null;
};

/** What names an endpoint beyond those that are kept apart. */
export const OTHERS = '(others)';

/** A call in the words of the list; null for one that went well, or that the server itself gave up, such as at its stop. */
function errorOf({ outcome, status }: Pick<HttpCall, 'outcome' | 'status'>): string | null {
  switch (outcome) {
    case 'ok':
    case 'aborted':
      return null;
    case 'httpError':
      return `HTTP ${status ?? 'error'}`;
    case 'timeout':
      return 'No answer in time';
    case 'network':
      return 'Not reached';
    case 'tooLarge':
      return 'Answer too large';
    case 'notJson':
      return 'Answer is not JSON';
  }
}

/** One call as a count of its own. @param at epoch ms */
export function countOf(call: HttpCall, date: string, at: number): EndpointCount {
  const { method, endpoint, outcome, durationMs } = call;
  const error = errorOf(call);
  const ms = Math.max(0, Math.round(durationMs));
  return {
    date,
    method,
    endpoint,
    count: 1,
    errors: error === null ? 0 : 1,
    totalMs: ms,
    slowestMs: ms,
    lastAt: at,
    lastSuccessAt: outcome === 'ok' ? at : null,
    lastError: error,
  };
}

/** Both together. @param later what was counted after `earlier`: its times and its error are the last ones */
export const joined = (earlier: EndpointCount, later: EndpointCount): EndpointCount => ({
  ...later,
  count: earlier.count + later.count,
  errors: earlier.errors + later.errors,
  totalMs: earlier.totalMs + later.totalMs,
  slowestMs: Math.max(earlier.slowestMs, later.slowestMs),
  lastSuccessAt: later.lastSuccessAt ?? earlier.lastSuccessAt,
  lastError: later.lastError ?? earlier.lastError,
});

export const keyOf = ({ date, method, endpoint }: Pick<EndpointCount, 'date' | 'method' | 'endpoint'>) =>
  `${date} ${method} ${endpoint}`;

/** What is kept of an endpoint's day once more is added to it. */
const SUMMED = {
  count: sql`${endpointCalls.count} + excluded.count`,
  errors: sql`${endpointCalls.errors} + excluded.errors`,
  totalMs: sql`${endpointCalls.totalMs} + excluded.total_ms`,
  slowestMs: sql`max(${endpointCalls.slowestMs}, excluded.slowest_ms)`,
  lastAt: sql`excluded.last_at`,
  lastSuccessAt: sql`coalesce(excluded.last_success_at, ${endpointCalls.lastSuccessAt})`,
  lastError: sql`coalesce(excluded.last_error, ${endpointCalls.lastError})`,
};

/** SQL of the calls to other servers. Dates are those of Sydney, YYYY-MM-DD. */
export const endpointCallStore = (db: Db) => ({
  /** Adds counts to those that are there, all or none. */
  add(counts: readonly EndpointCount[]): void {
    const target = [endpointCalls.date, endpointCalls.method, endpointCalls.endpoint];
    db.transaction((tx) => {
      for (const count of counts) {
        tx.insert(endpointCalls).values(count).onConflictDoUpdate({ target, set: SUMMED }).run();
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
