import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import {
  approvedMessage,
  checkDeclineReason,
  checkUpgrade,
  declinedMessage,
  isAbove,
  type PaidPlan,
  PLAN_NAMES,
  readPaidPlan,
} from '#subjects/accounts/rules/upgrade.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { ACCOUNTS } from '#subjects/accounts/contract.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';

/** Limit of requests in one list; the others are listed when these are decided. */
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

function upgradeStore(db: Db) {
  type Change = Partial<typeof users.$inferInsert>;
  const isUser = (id: number) => and(eq(users.id, id), isNull(users.deletedAt));
  const set = (id: number, change: Change): void => {
    db.update(users).set(change).where(isUser(id)).run();
  };
  return {
    /** The callback must not await. */
    inTransaction: <T>(work: () => T): T => db.transaction(work, { behavior: 'immediate' }),

    read: (id: number) => db.select(REQUEST).from(users).where(isUser(id)).get(),

    /** Pending requests, oldest first. */
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

type UpgradeStore = ReturnType<typeof upgradeStore>;
type UpgradeRow = NonNullable<ReturnType<UpgradeStore['read']>>;

type Decision = {
  userId: number;
  /** The plan on the administrator's screen. */
  requestedSubscriptionType?: PaidPlan | undefined;
};

type Requested = UpgradeRow & { requestedSubscriptionType: PaidPlan };

/** @throws AppError 404 if the account does not exist, 409 if the request differs from the one on the screen */
function pendingOf(store: UpgradeStore, { userId, requestedSubscriptionType: seen }: Decision): Requested {
  const row = store.read(userId);
  if (!row) throw new AppError(404, 'That account no longer exists. Reload the list.');
  const { username, requestedSubscriptionType: wanted } = row;
  if (wanted === null) {
    const message = `The request from ${username} is no longer pending: it was withdrawn, or another administrator decided it. Reload the list.`;
    throw new AppError(409, message);
  }
  if (seen !== undefined && seen !== wanted) {
    throw new AppError(
      409,
      `The request from ${username} is now for ${PLAN_NAMES[wanted]}. Review it again.`,
    );
  }
  return { ...row, requestedSubscriptionType: wanted };
}

function notifyChats({ chatsOf, outbox }: App, userId: number, message: ChatMessage): void {
  outbox.add(chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message })));
}

/** Updates the user's windows and chats. Call it after the commit. */
function notify({ accounts, outbox }: App, userId: number): void {
  accounts.accountChanged(userId);
  outbox.wake();
}

/**
 * Approves a request. The audit entry and the messages are written in the same transaction.
 * @returns the username
 * @throws AppError 404, 409
 */
function approve(app: App, store: UpgradeStore, administratorId: number, decision: Decision): string {
  const row = store.inTransaction(() => {
    const found = pendingOf(store, decision);
    const { id, username, subscriptionType: before, requestedSubscriptionType: wanted } = found;
    // The command line may have already granted a higher plan.
    const after = isAbove(wanted, before) ? wanted : before;
    store.approve(id, after);
    app.audit.record({
      userId: administratorId,
      action: 'approve upgrade',
      target: username,
      before: { userId: id, subscriptionType: before, requestedSubscriptionType: wanted },
      after: { userId: id, subscriptionType: after },
    });
    notifyChats(app, id, approvedMessage(wanted));
    return found;
  });
  notify(app, row.id);
  return row.username;
}

/** Declines a request with a reason for the user. @returns the username @throws AppError 400 without a reason, 404, 409 */
function decline(
  app: App,
  store: UpgradeStore,
  administratorId: number,
  decision: Decision & { reason: string },
): string {
  const reason = accepted(checkDeclineReason(decision.reason));
  const row = store.inTransaction(() => {
    const found = pendingOf(store, decision);
    const { id, username, subscriptionType, requestedSubscriptionType: wanted } = found;
    store.decline(id, reason);
    app.audit.record({
      userId: administratorId,
      action: 'decline upgrade',
      target: username,
      reason,
      before: { userId: id, subscriptionType, requestedSubscriptionType: wanted },
      after: { userId: id, subscriptionType },
    });
    notifyChats(app, id, declinedMessage(wanted, reason));
    return found;
  });
  notify(app, row.id);
  return row.username;
}

type Status = Pick<UpgradeRow, 'requestedSubscriptionType' | 'upgradeDeclinedReason'>;

/** @throws AppError 401 if the account does not exist */
function own(store: UpgradeStore, userId: number): UpgradeRow {
  const row = store.read(userId);
  if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
  return row;
}

const pending = (store: UpgradeStore) =>
  store.pending().flatMap(({ id, username, subscriptionType, ...row }) => {
    const { requestedSubscriptionType, upgradeRequestedAt: at } = row;
    if (requestedSubscriptionType === null) return [];
    const requestedAt = at === null ? null : new Date(at).toISOString();
    return [{ id, username, subscriptionType, requestedSubscriptionType, requestedAt }];
  });

function createUpgradesService(app: App) {
  const store = upgradeStore(app.db);
  const countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your upgrade request');

  /** Changes the user's own request and updates the user's other windows. @returns the request after the change */
  function changing(userId: number, change: (row: UpgradeRow) => void): Status {
    countWrite(userId);
    const status = store.inTransaction(() => {
      change(own(store, userId));
      const { requestedSubscriptionType, upgradeDeclinedReason } = own(store, userId);
      return { requestedSubscriptionType, upgradeDeclinedReason };
    });
    app.accounts.accountChanged(userId);
    return status;
  }
  return {
    /**
     * Requests a plan, replacing another request. Ignores an unknown level.
     * @throws AppError 400 for the current plan or a lower one, 429
     */
    request: (userId: number, level: unknown): Status =>
      changing(userId, (row) => {
        const plan = readPaidPlan(level);
        if (plan === null || plan === row.requestedSubscriptionType) return;
        store.request(userId, accepted(checkUpgrade(row.subscriptionType, plan)), app.clock.now());
      }),

    /** Withdraws a request, if there is one. @throws AppError 429 */
    withdraw: (userId: number): Status => changing(userId, () => store.withdraw(userId)),

    /** Hides the reason of a declined request. @throws AppError 429 */
    dismissDeclined: (userId: number): Status => changing(userId, () => store.forgetDeclined(userId)),

    pending: () => pending(store),
    /** @returns the username @throws AppError 404, 409 */
    approve: (administratorId: number, decision: Decision) => approve(app, store, administratorId, decision),
    /** @returns the username @throws AppError 400, 404, 409 */
    decline: (administratorId: number, decision: Decision & { reason: string }) =>
      decline(app, store, administratorId, decision),
  };
}

type Upgrades = ReturnType<typeof createUpgradesService>;

const MAX_WRITES_A_MINUTE = 20;

const routesOf = (upgrades: Upgrades) =>
  serve(ACCOUNTS, {
    'POST /api/settings/request-upgrade': ({ user, body }) => upgrades.request(user.id, body.level),
    'POST /api/settings/withdraw-upgrade': ({ user }) => upgrades.withdraw(user.id),
    'POST /api/settings/dismiss-declined-upgrade': ({ user }) => upgrades.dismissDeclined(user.id),
    'GET /api/admin/upgrade-requests': () => ({ requests: upgrades.pending() }),
    'POST /api/admin/approve-upgrade': ({ user, body }) => ({
      success: true as const,
      username: upgrades.approve(user.id, body),
    }),
    'POST /api/admin/decline-upgrade': ({ user, body }) => ({
      success: true as const,
      username: upgrades.decline(user.id, body),
    }),
  });

export function createUpgrades(app: App) {
  const service = createUpgradesService(app);
  return { name: 'upgrades', routes: () => routesOf(service) } satisfies Part;
}
