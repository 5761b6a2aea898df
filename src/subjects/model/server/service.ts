import { accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { dailyLimit, type ModelUseKind, startsAnewAt, usedUpMessage } from '../rules/dailyLimit.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { Clock } from '#lib/clock.ts';
import type { ModelUsage } from '#platform/model/model.ts';
import type { ModelUseStore } from './store.ts';

/** Who asks; the plan decides how often. */
export type ModelUser = { id: number; subscriptionType: SubscriptionType; isAdmin: boolean };

export type ModelUseDeps = { store: ModelUseStore; clock: Clock };

/** What people ask the model and what it costs: tokens a user for good, uses by Sydney day. */
export const createModelUseService = ({ store, clock }: ModelUseDeps) => ({
  /**
   * Refuses who has used up the day's share.
   * @param pending uses of this user that are under way and not counted yet
   * @throws AppError 429 with the time at which the count starts again
   */
  admit(user: ModelUser, kind: ModelUseKind, pending = 0): void {
    const now = clock.now();
    const level = accessLevel(user);
    const { summaries, questions } = store.day(user.id, sydneyDate(now));
    const used = kind === 'summary' ? summaries : questions;
    if (used + pending < dailyLimit(kind, level)) return;
    const seconds = Math.ceil((startsAnewAt(now) - now) / 1000);
    throw refusedFor(seconds, 429, usedUpMessage(kind, level, now));
  },

  /**
   * Writes down what a use cost.
   * @param outcome a use that came to no answer does not count against the day, its tokens do
   */
  count(
    userId: number,
    kind: ModelUseKind,
    usage: ModelUsage,
    outcome: 'answered' | 'failed' = 'answered',
  ): void {
    const one = outcome === 'answered' ? 1 : 0;
    const uses = kind === 'summary' ? { summaries: one, questions: 0 } : { summaries: 0, questions: one };
    store.add(userId, sydneyDate(clock.now()), usage, uses);
  },
});

export type ModelUse = ReturnType<typeof createModelUseService>;
