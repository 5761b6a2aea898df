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
import type { UpgradeRow, UpgradeStore } from './store.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import type { Clock } from '#lib/clock.ts';
import type { UserLimit } from '#platform/http/requestLimits.ts';
import type { NewMessage } from '#platform/outbox/message.ts';
import type { Accounts } from '../service.ts';
import type { Audit } from '#admin/audit/server/service.ts';

/** What the use cases of upgrades work with. */
export type UpgradesDeps = {
  store: UpgradeStore;
  clock: Clock;
  audit: Audit;
  accounts: Accounts;
  outbox: { add(messages: readonly NewMessage[]): void; wake(): void };
  /** The chats of a user that messages can be delivered to. */
  chatsOf(userId: number): readonly Pick<NewMessage, 'platform' | 'chatId'>[];
  countWrite: UserLimit;
};

/** Which request an administrator decides. */
type Decision = {
  userId: number;
  /** The plan that stood on the screen. */
  requestedSubscriptionType?: PaidPlan | undefined;
};

type Requested = UpgradeRow & { requestedSubscriptionType: PaidPlan };

/** @throws AppError 404 without such an account, 409 when the request is not the one on the screen any more */
function pendingOf(
  { store }: UpgradesDeps,
  { userId, requestedSubscriptionType: seen }: Decision,
): Requested {
  const row = store.read(userId);
  if (!row) throw new AppError(404, 'That account does not exist any more. Reload the list.');
  const { username, requestedSubscriptionType: wanted } = row;
  if (wanted === null) {
    const message = `The request from ${username} is no longer pending: it was withdrawn, or another administrator decided it.`;
    throw new AppError(409, message);
  }
  if (seen !== undefined && seen !== wanted) {
    throw new AppError(
      409,
      `The request from ${username} is now for ${PLAN_NAMES[wanted]}. Look at it again.`,
    );
  }
  return { ...row, requestedSubscriptionType: wanted };
}

function tellChats({ chatsOf, outbox }: UpgradesDeps, userId: number, message: ChatMessage): void {
  outbox.add(chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message })));
}

/** Once it is on disk: in the person's windows and chats. */
function told({ accounts, outbox }: UpgradesDeps, userId: number): void {
  accounts.accountChanged(userId);
  outbox.wake();
}

/**
 * Gives a person the plan that they asked for; with the audit's entry and the messages in one transaction.
 *
 * @returns the username
 * @throws AppError 404, 409
 */
function approve(deps: UpgradesDeps, administratorId: number, decision: Decision): string {
  const { store, audit } = deps;
  const row = store.inTransaction(() => {
    const found = pendingOf(deps, decision);
    const { id, username, subscriptionType: before, requestedSubscriptionType: wanted } = found;
    // Somebody may have given them more meanwhile, at the command line.
    const after = isAbove(wanted, before) ? wanted : before;
    store.approve(id, after);
    audit.record({
      userId: administratorId,
      action: 'approve upgrade',
      target: username,
      before: { userId: id, subscriptionType: before, requestedSubscriptionType: wanted },
      after: { userId: id, subscriptionType: after },
    });
    tellChats(deps, id, approvedMessage(wanted));
    return found;
  });
  told(deps, row.id);
  return row.username;
}

/**
 * Declines what a person asked for, with a reason that they read.
 *
 * @returns the username
 * @throws AppError 400 without a reason, 404, 409
 */
function decline(
  deps: UpgradesDeps,
  administratorId: number,
  decision: Decision & { reason: string },
): string {
  const { store, audit } = deps;
  const reason = accepted(checkDeclineReason(decision.reason));
  const row = store.inTransaction(() => {
    const found = pendingOf(deps, decision);
    const { id, username, subscriptionType, requestedSubscriptionType: wanted } = found;
    store.decline(id, reason);
    audit.record({
      userId: administratorId,
      action: 'decline upgrade',
      target: username,
      reason,
      before: { userId: id, subscriptionType, requestedSubscriptionType: wanted },
      after: { userId: id, subscriptionType },
    });
    tellChats(deps, id, declinedMessage(wanted, reason));
    return found;
  });
  told(deps, row.id);
  return row.username;
}

/** What stands of a person's request. */
type Standing = Pick<UpgradeRow, 'requestedSubscriptionType' | 'upgradeDeclinedReason'>;

/** @throws AppError 401 without such an account */
function own({ store }: UpgradesDeps, userId: number): UpgradeRow {
  const row = store.read(userId);
  if (!row) throw new AppError(401, 'This account no longer exists. Please log in again.');
  return row;
}

/** Does a change of the person's own request, and answers what stands then; other windows of theirs follow. */
function changing(deps: UpgradesDeps, userId: number, change: (row: UpgradeRow) => void): Standing {
  deps.countWrite(userId);
  const standing = deps.store.inTransaction(() => {
    change(own(deps, userId));
    const { requestedSubscriptionType, upgradeDeclinedReason } = own(deps, userId);
    return { requestedSubscriptionType, upgradeDeclinedReason };
  });
  deps.accounts.accountChanged(userId);
  return standing;
}

/** The requests that wait for an administrator, oldest first. */
const pending = ({ store }: UpgradesDeps) =>
  store.pending().flatMap(({ id, username, subscriptionType, ...row }) => {
    const { requestedSubscriptionType, upgradeRequestedAt: at } = row;
    if (requestedSubscriptionType === null) return [];
    const requestedAt = at === null ? null : new Date(at).toISOString();
    return [{ id, username, subscriptionType, requestedSubscriptionType, requestedAt }];
  });

/** Requests for a plan: what people ask for, and what administrators say to it. */
export function createUpgradesService(deps: UpgradesDeps) {
  const { store, clock } = deps;
  return {
    /**
     * Asks for a plan; a request for another plan takes the place of the first. A level that is no plan is ignored:
     * the answer says what stands.
     *
     * @throws AppError 400 for the plan that the person has or one below it, 429
     */
    request: (userId: number, level: unknown): Standing =>
      changing(deps, userId, (row) => {
        const plan = readPaidPlan(level);
        if (plan === null || plan === row.requestedSubscriptionType) return;
        store.request(userId, accepted(checkUpgrade(row.subscriptionType, plan)), clock.now());
      }),

    /** Takes a request back; without one nothing happens. @throws AppError 429 */
    withdraw: (userId: number): Standing => changing(deps, userId, () => store.withdraw(userId)),

    /** The person has read why the last request was declined. @throws AppError 429 */
    dismissDeclined: (userId: number): Standing => changing(deps, userId, () => store.forgetDeclined(userId)),

    pending: () => pending(deps),
    /** @returns the username @throws AppError 404, 409 */
    approve: (administratorId: number, decision: Decision) => approve(deps, administratorId, decision),
    /** @returns the username @throws AppError 400, 404, 409 */
    decline: (administratorId: number, decision: Decision & { reason: string }) =>
      decline(deps, administratorId, decision),
  };
}

export type Upgrades = ReturnType<typeof createUpgradesService>;
