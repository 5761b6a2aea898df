import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { auditEntries } from '../../../platform/db/administrationSchema.ts';
import type { Db } from '../../../platform/db/open.ts';
import { users } from '../../../platform/db/schema.ts';
import type { AdminAction } from './service.ts';

/** Which entries are asked for; a member that is left out leaves none out. */
export type AuditFilter = {
  /** Only those with a smaller id: what comes after a page. */
  before?: number | undefined;
  action?: string | undefined;
  /** The administrator's id; null for what the server did by itself. */
  by?: number | null | undefined;
};

const isOf = (by: number | null) => (by === null ? isNull(auditEntries.userId) : eq(auditEntries.userId, by));

/** What administrators did, in the database. */
export const auditStore = (db: Db) => ({
  insert({ userId, action, target, before, after, reason }: AdminAction, at: number): void {
    db.insert(auditEntries)
      .values({
        ...{ at, userId, action, target },
        before: before ?? null,
        after: after ?? null,
        reason: reason ?? null,
      })
      .run();
  },

  /** Newest first: by id, as the clock may have stepped back between two. */
  list: ({ before, action, by }: AuditFilter, limit: number) =>
    db
      .select({ entry: auditEntries, username: users.username })
      .from(auditEntries)
      .leftJoin(users, eq(users.id, auditEntries.userId))
      .where(
        and(
          before === undefined ? undefined : lt(auditEntries.id, before),
          action === undefined ? undefined : eq(auditEntries.action, action),
          by === undefined ? undefined : isOf(by),
        ),
      )
      .orderBy(desc(auditEntries.id))
      .limit(limit)
      .all(),

  /** Every kind of action that there is an entry of. */
  actions: (): string[] =>
    db
      .selectDistinct({ action: auditEntries.action })
      .from(auditEntries)
      .orderBy(asc(auditEntries.action))
      .all()
      .map(({ action }) => action),

  /** Everybody who did something. */
  administrators: (): { id: number; username: string }[] =>
    db
      .selectDistinct({ id: users.id, username: users.username })
      .from(auditEntries)
      .innerJoin(users, eq(users.id, auditEntries.userId))
      .where(isNotNull(auditEntries.userId))
      .orderBy(sql`${users.usernameKey}`)
      .all(),
});
