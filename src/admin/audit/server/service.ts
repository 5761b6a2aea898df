import type { Wire } from '#lib/contract/fields.ts';
import type { auditAnswer } from '../answers/audit.ts';
import type { Db } from '#platform/db/open.ts';
import { finish, type Steps } from '#platform/http/readQueue.ts';
import type { Clock } from '#lib/clock.ts';
import { and, asc, desc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { auditEntries } from '#src/tables/administrationSchema.ts';
import { users } from '#platform/db/schema.ts';

/** Filters of the audit log; a missing member does not filter. */
type AuditFilter = {
  /** Limits the result to entries with a smaller id, for the next page. */
  before?: number | undefined;
  action?: string | undefined;
  by?: number | null | undefined;
};

const isOf = (by: number | null) => (by === null ? isNull(auditEntries.userId) : eq(auditEntries.userId, by));

/** A page of entries, newest first. Sorted by id, because the clock may have been set back. */
const entriesOf = (db: Db, { before, action, by }: AuditFilter, limit: number) =>
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
    .all();

const auditStore = (db: Db) => ({
  insert({ userId, action, target, before, after, reason }: AdminAction, at: number): void {
    db.insert(auditEntries)
      .values({
        at,
        userId,
        action,
        target,
        before: before ?? null,
        after: after ?? null,
        reason: reason ?? null,
      })
      .run();
  },

  list: (filter: AuditFilter, limit: number) => entriesOf(db, filter, limit),

  actions: (): string[] =>
    db
      .selectDistinct({ action: auditEntries.action })
      .from(auditEntries)
      .orderBy(asc(auditEntries.action))
      .all()
      .map(({ action }) => action),

  administrators: (): { id: number; username: string }[] =>
    db
      .selectDistinct({ id: users.id, username: users.username })
      .from(auditEntries)
      .innerJoin(users, eq(users.id, auditEntries.userId))
      .where(isNotNull(auditEntries.userId))
      .orderBy(sql`${users.usernameKey}`)
      .all(),
});

export type AdminAction = {
  userId: number | null;
  action: AuditAction;
  /** Name of the target: a username, a file, a channel's name or a call's public id. */
  target: string;
  /** The values before and after, without secrets; omitted if there are none. */
  before?: unknown;
  after?: unknown;
  reason?: string | null;
};

export type AuditAction =
  | 'clear second factor'
  | 'approve upgrade'
  | 'decline upgrade'
  | 'edit user'
  | 'moderate call'
  | 'correct call'
  | 'refresh catalog'
  | 'clear log'
  | 'download log'
  | 'restart'
  | 'update'
  | 'roll back'
  | 'back up'
  | 'download backup'
  | 'record'
  | 'stop recording'
  | 'delete recording'
  | 'download recording'
  | 'play recording'
  | 'end replay'
  | 'add channel'
  | 'change channel'
  | 'delete channel'
  | 'broadcast'
  | 'switch notices'
  | 'test connection'
  | 'download support file'
  | 'add market closure'
  | 'remove market closure';

type AuditPage = Wire<typeof auditAnswer>;

export type Audit = {
  /**
   * Writes an action, in the caller's transaction if there is one. Call it together with the action, before answering.
   */
  record(done: AdminAction): void;
  /** A page of actions, newest first, with the filter values to offer. */
  list(filter: AuditFilter): AuditPage;
  listInSteps(filter: AuditFilter): Steps<AuditPage>;
};

const PAGE = 50;

export function createAuditService({ db, clock }: { db: Db; clock: Clock }): Audit {
  const store = auditStore(db);
  function* listInSteps(filter: AuditFilter): Steps<AuditPage> {
    const rows = store.list(filter, PAGE + 1);
    const shown = rows.slice(0, PAGE);
    yield;
    const actions = store.actions();
    yield;
    return {
      entries: shown.map(({ entry: { userId, at, ...entry }, username }) => ({
        ...entry,
        at: new Date(at).toISOString(),
        by: userId === null ? null : { id: userId, display: username ?? '' },
      })),
      next: rows.length > PAGE ? (shown.at(-1)?.entry.id ?? null) : null,
      actions,
      administrators: store.administrators().map(({ id, username }) => ({ id, display: username })),
    };
  }
  return {
    record: (done) => store.insert(done, clock.now()),
    list: (filter) => finish(listInSteps(filter)),
    listInSteps,
  };
}
