import { t } from 'elysia';
import { MAX_SENT_LENGTH } from '../../rules/upgrade.ts';
import { choice } from '../../../../platform/http/choice.ts';

const paidPlan = t.UnionEnum(['basic', 'premium']);

/** What stands of a person's request once theirs was done. */
export const requestView = t.Object({
  requestedSubscriptionType: t.Nullable(paidPlan),
  /** Why the last one was declined. */
  upgradeDeclinedReason: t.Nullable(t.String()),
});

// Whatever is no plan is ignored, not refused (specification, section 5).
export const requestBody = t.Object({ level: t.Optional(t.Unknown()) });

export const pendingView = t.Object({
  requests: t.Array(
    t.Object({
      /** The user's. */
      id: t.Integer(),
      username: t.String(),
      subscriptionType: t.UnionEnum(['free', 'basic', 'premium']),
      requestedSubscriptionType: paidPlan,
      /** ISO 8601; null when it is not known. */
      requestedAt: t.Nullable(t.String()),
    }),
  ),
});

const userId = t.Integer({ minimum: 1, error: 'Say which user.' });
/** What the administrator saw on the screen; without it whatever is requested by now. */
const seen = t.Optional(choice(['basic', 'premium']));

export const approveBody = t.Object({ userId, requestedSubscriptionType: seen });
export const declineBody = t.Object({
  userId,
  requestedSubscriptionType: seen,
  reason: t.String({ default: '', maxLength: 2 * MAX_SENT_LENGTH }),
});

export const decided = t.Object({ success: t.Literal(true), username: t.String() });
