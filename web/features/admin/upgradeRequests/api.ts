import { MESSAGES } from '../../../../src/domain/messages.ts';
import type { PaidTier } from '../../../../src/domain/accounts/upgrade.ts';
import {
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readRecord,
  readText,
} from '../../../../src/lib/read.ts';
import type { Refusal } from '../../../../src/lib/result.ts';
import { api, readAnswer, readRefusal, refusalOf, unwrap } from '../../../shared/api/client.ts';

/** A request for a plan that waits for an administrator. */
export type UpgradeRequest = {
  /** The user's. */
  id: number;
  username: string;
  requestedSubscriptionType: PaidTier;
  /** ISO 8601; null when it is not known. */
  requestedAt: string | null;
};

const readPaidTier = readChoice<PaidTier>(['basic', 'premium']);

function readRequest(value: unknown): UpgradeRequest | null {
  const { id, userId, username, requestedSubscriptionType, requestedAt } = readRecord(value);
  const known = readCount(id) ?? readCount(userId);
  const tier = readPaidTier(requestedSubscriptionType);
  if (known === null || tier === null) return null;
  return {
    id: known,
    username: readText(username) ?? '',
    requestedSubscriptionType: tier,
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

async function decided(pending: Promise<unknown>, fallback: string): Promise<Refusal | null> {
  try {
    return readRefusal(await pending, fallback);
  } catch (problem) {
    return refusalOf(problem, fallback);
  }
}

const shownOf = ({ id, requestedSubscriptionType }: UpgradeRequest) => ({
  userId: id,
  requestedSubscriptionType,
});

/** Gives the plan. @returns why it was not given, or null when it was */
export const approveRequest = (request: UpgradeRequest): Promise<Refusal | null> =>
  decided(unwrap(api.admin['approve-upgrade'].post(shownOf(request))), MESSAGES.admin.saveChanges);

/** Declines with a reason that the person reads. @returns why it was not declined, or null when it was */
export const declineRequest = (request: UpgradeRequest, reason: string): Promise<Refusal | null> =>
  decided(
    unwrap(api.admin['decline-upgrade'].post({ ...shownOf(request), reason })),
    MESSAGES.admin.saveChanges,
  );
