import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import type { PaidPlan } from '#subjects/accounts/rules/upgrade.ts';

/** This many requests are shown; the others once these are decided. */
const MAX_SHOWN = 500;

const REQUEST = {
  id: users.id,
  username: users.username,
  subscriptionType: users.subscriptionType,
  requestedSubscriptionType: users.requestedSubscriptionType,
  upgradeRequestedAt: users.upgradeRequestedAt,
  upgradeDeclinedReason: users.upgradeDeclinedReason,
};

const NONE = { requestedSubscriptionType: null, upgradeRequestedAt: null };

/** SQL of the requests for a plan, which stand in the rows of the users. */
export function upgradeStore(db: Db) {
  type Change = Partial<typeof users.$inferInsert>;
  const isUser = (id: number) => and(eq(users.id, id), isNull(users.deletedAt));
  const set = (id: number, change: Change): void => {
    db.update(users).set(change).where(isUser(id)).run();
  };
  return {
    /** Inside the callback nothing else writes; it must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    read: (id: number) => db.select(REQUEST).from(users).where(isUser(id)).get(),

    /** Oldest first. */
    pending: () =>
      db
        .select(REQUEST)
        .from(users)
        .where(and(isNotNull(users.requestedSubscriptionType), isNull(users.deletedAt)))
        .orderBy(asc(users.upgradeRequestedAt), asc(users.id))
        .limit(MAX_SHOWN)
        .all(),

    request: (id: number, plan: PaidPlan, now: number): void =>
      set(id, {
        requestedSubscriptionType: plan,
        upgradeRequestedAt: now,
        upgradeDeclinedReason: null,
      }),

    withdraw: (id: number): void => set(id, NONE),

    approve: (id: number, plan: SubscriptionType): void =>
      set(id, { ...NONE, subscriptionType: plan, upgradeDeclinedReason: null }),

    decline: (id: number, reason: string): void => set(id, { ...NONE, upgradeDeclinedReason: reason }),

    forgetDeclined: (id: number): void => set(id, { upgradeDeclinedReason: null }),
  };
}

export type UpgradeStore = ReturnType<typeof upgradeStore>;
export type UpgradeRow = NonNullable<ReturnType<UpgradeStore['read']>>;
