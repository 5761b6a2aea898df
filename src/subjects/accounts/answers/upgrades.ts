import { count, done, isoTime, list, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { object, ours } from '#lib/contract/objects.ts';
import { paidPlan, plan } from './plans.ts';
import { isRecord } from '#lib/json.ts';

/** What stands of a person's request once theirs was done. */
export const standingAnswer = object({
  requestedSubscriptionType: orNull(paidPlan),
  /** Why the last one was declined. */
  upgradeDeclinedReason: orNull(text),
});

const told = object(
  {
    /** The user's. */
    id: count,
    username: or(text, ''),
    subscriptionType: ours(plan),
    requestedSubscriptionType: paidPlan,
    /** Null when it is not known. */
    requestedAt: ours(orNull(isoTime)),
  },
  ['id', 'requestedSubscriptionType'],
);

/** A request for a plan that waits for an administrator. */
export const upgradeRequest = readBy(told, (value) =>
  isRecord(value) ? told.read({ ...value, id: count.read(value['id']) ?? value['userId'] }) : null,
);

/** `GET /api/admin/upgrade-requests` (specification 7.7), oldest first. */
export const requestsAnswer = object({ requests: list(upgradeRequest) });

/** `POST /api/admin/approve-upgrade` and `/decline-upgrade`. */
export const decidedAnswer = object({ success: done, username: text });
