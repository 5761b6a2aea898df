import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { linkedChats } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { secondFactors, users } from '#platform/db/schema.ts';
import type { PlanState } from '#subjects/accounts/rules/userEdit.ts';

const COLUMNS = {
  id: users.id,
  username: users.username,
  email: users.email,
  subscriptionType: users.subscriptionType,
  requestedSubscriptionType: users.requestedSubscriptionType,
  upgradeRequestedAt: users.upgradeRequestedAt,
  promptTokens: users.promptTokens,
  completionTokens: users.completionTokens,
  isAdmin: users.isAdmin,
  createdAt: users.createdAt,
  hasSecondFactor:
    sql<boolean>`EXISTS (SELECT 1 FROM ${secondFactors} AS factor WHERE factor.user_id = ${users}.id
    AND factor.confirmed_at IS NOT NULL)`.mapWith(Boolean),
};

/** Deleted accounts are nobody's any more. */
const EXISTS = isNull(users.deletedAt);

/** Names that contain a text; both in the form in which all spellings are equal. No sign of it is a wildcard. */
const named = (key: string) =>
  key === ''
    ? undefined
    : or(sql`instr(${users.usernameKey}, ${key}) > 0`, sql`instr(${users.emailKey}, ${key}) > 0`);

const usersByName = (db: Db) => ({
  /** Newest first. @param before only those with a smaller id */
  list: (key: string, before: number | undefined, limit: number) =>
    db
      .select(COLUMNS)
      .from(users)
      .where(and(EXISTS, named(key), before === undefined ? undefined : lt(users.id, before)))
      .orderBy(desc(users.id))
      .limit(limit)
      .all(),

  count: (key: string): number =>
    db
      .select({ count: count() })
      .from(users)
      .where(and(EXISTS, named(key)))
      .get()?.count ?? 0,
});

export const userStore = (db: Db) => ({
  ...usersByName(db),

  /** All or nothing; the callback must not await. */
  inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

  byId: (id: number) =>
    db
      .select(COLUMNS)
      .from(users)
      .where(and(EXISTS, eq(users.id, id)))
      .get(),

  /** How many chats are linked, confirmed or not, by user and platform. */
  chatCounts: (userIds: readonly number[]) =>
    db
      .select({ userId: linkedChats.userId, platform: linkedChats.platform, count: count() })
      .from(linkedChats)
      .where(inArray(linkedChats.userId, [...userIds]))
      .groupBy(linkedChats.userId, linkedChats.platform)
      .all(),

  /** @param requestedAt epoch ms of the request; null without one */
  setPlan: (id: number, plan: PlanState, requestedAt: number | null): void => {
    db.update(users)
      .set({ ...plan, upgradeRequestedAt: requestedAt, upgradeDeclinedReason: null })
      .where(eq(users.id, id))
      .run();
  },
});

export type UserStore = ReturnType<typeof userStore>;
export type UserRow = NonNullable<ReturnType<UserStore['byId']>>;
