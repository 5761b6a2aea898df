import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import type { PaidPlan } from '../../../subjects/accounts/rules/upgrade.ts';
import { readChoice, readCount, readIsoTime, readList, readRecord, readText } from '../../../lib/read.ts';
import type { Refusal } from '../../../lib/result.ts';
import { api, readAnswer, unwrap } from '../../../../web/api/client.ts';
import { whyNotDone } from '../../../../web/api/done.ts';
import { asAdminAction } from '../../web/parts/adminActions.ts';

/** A request for a plan that waits for an administrator. */
export type UpgradeRequest = {
  /** The user's. */
  id: number;
  username: string;
  requestedSubscriptionType: PaidPlan;
  /** ISO 8601; null when it is not known. */
  requestedAt: string | null;
};

const readPaidPlan = readChoice<PaidPlan>(['basic', 'premium']);

function readRequest(value: unknown): UpgradeRequest | null {
  const { id, userId, username, requestedSubscriptionType, requestedAt } = readRecord(value);
  const known = readCount(id) ?? readCount(userId);
  const plan = readPaidPlan(requestedSubscriptionType);
  if (known === null || plan === null) return null;
  return {
    id: known,
    username: readText(username) ?? '',
    requestedSubscriptionType: plan,
    requestedAt: readIsoTime(requestedAt),
  };
}

/** GET /admin/upgrade-requests (specification 7.7). */
export const readRequests = (body: unknown): { requests: UpgradeRequest[] } => ({
  requests: readList(readAnswer(body).requests, readRequest),
});

/** @throws ApiError with the sentence to show */
export async function fetchRequests(): Promise<UpgradeRequest[]> {
  return (await unwrap(api.admin['upgrade-requests'].get(), readRequests)).requests;
}

const shownOf = ({ id, requestedSubscriptionType }: UpgradeRequest) => ({
  userId: id,
  requestedSubscriptionType,
});

/** Gives the plan. @returns why it was not given, or null when it was */
export const approveRequest = (request: UpgradeRequest): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction('plans', unwrap(api.admin['approve-upgrade'].post(shownOf(request)))),
    ADMIN_MESSAGES.saveChanges,
  );

/** Declines with a reason that the person reads. @returns why it was not declined, or null when it was */
export const declineRequest = (request: UpgradeRequest, reason: string): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction('plans', unwrap(api.admin['decline-upgrade'].post({ ...shownOf(request), reason }))),
    ADMIN_MESSAGES.saveChanges,
  );
