import { isAbove, checkDeclineReason, type PaidPlan, PLAN_NAMES } from '../../rules/upgrade.ts';
import { approvedMessage, declinedMessage } from '../../rules/upgradeMessage.ts';
import type { ChatMessage } from '../../../chats/rules/chatMessage.ts';
import { accepted, AppError } from '../../../../platform/http/errors.ts';
import type { UpgradesDeps } from './deps.ts';
import type { UpgradeRow } from './store.ts';

/** Which request an administrator decides. */
export type Decision = {
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
export function approve(deps: UpgradesDeps, administratorId: number, decision: Decision): string {
  const { store, audit } = deps;
  const row = store.inTransaction(() => {
    const found = pendingOf(deps, decision);
    const { id, username, subscriptionType: before, requestedSubscriptionType: wanted } = found;
    // Somebody may have given them more meanwhile, at the command line.
    const after = isAbove(wanted, before) ? wanted : before;
    store.approve(id, after);
    audit.record({
      ...{ userId: administratorId, action: 'approve upgrade', target: username },
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
export function decline(
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
      ...{ userId: administratorId, action: 'decline upgrade', target: username, reason },
      before: { userId: id, subscriptionType, requestedSubscriptionType: wanted },
      after: { userId: id, subscriptionType },
    });
    tellChats(deps, id, declinedMessage(wanted, reason));
    return found;
  });
  told(deps, row.id);
  return row.username;
}
