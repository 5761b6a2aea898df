import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { requestsAnswer, type upgradeRequest } from '#subjects/accounts/answers/account.ts';
import type { Known } from '#lib/contract/fields.ts';
import type { Refusal } from '#lib/result.ts';
import { request } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import { whyNotDone } from '#web/api/done.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';

/** A request for a plan that waits for an administrator. */
export type UpgradeRequest = Known<typeof upgradeRequest>;

/** @throws ApiError with the sentence to show */
export async function fetchRequests(): Promise<UpgradeRequest[]> {
  return (await request('GET /api/admin/upgrade-requests', { read: readerOf(requestsAnswer) })).requests;
}

const shownOf = ({ id, requestedSubscriptionType }: UpgradeRequest) => ({
  userId: id,
  requestedSubscriptionType,
});

/** Gives the plan. @returns why it was not given, or null when it was */
export const approveRequest = (asked: UpgradeRequest): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction('plans', request('POST /api/admin/approve-upgrade', { body: shownOf(asked) })),
    ADMIN_MESSAGES.saveChanges,
  );

/** Declines with a reason that the person reads. @returns why it was not declined, or null when it was */
export const declineRequest = (asked: UpgradeRequest, reason: string): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction(
      'plans',
      request('POST /api/admin/decline-upgrade', { body: { ...shownOf(asked), reason } }),
    ),
    ADMIN_MESSAGES.saveChanges,
  );
