import { and, eq, lt, sql } from 'drizzle-orm';
import { modelUse } from '#src/tables/userSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { dailyLimit, type ModelUseKind, startsAnewAt, usedUpMessage } from '../rules/dailyLimit.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { ModelUsage } from '#platform/model/model.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { App, Part } from '#platform/app.ts';

/** What a user asked on a Sydney day. */
type DayOfUse = Pick<typeof modelUse.$inferSelect, 'summaries' | 'questions'>;

/** SQL of what users asked the model and what it cost. */
const modelUseStore = (db: Db) => ({
  day: (userId: number, date: string): DayOfUse =>
    db
      .select({ summaries: modelUse.summaries, questions: modelUse.questions })
      .from(modelUse)
      .where(and(eq(modelUse.userId, userId), eq(modelUse.date, date)))
      .get() ?? { summaries: 0, questions: 0 },

  /** Drops what was counted before a Sydney day, YYYY-MM-DD; tokens stay with their users. @returns how many rows */
  dropBefore: (date: string): number =>
    db.delete(modelUse).where(lt(modelUse.date, date)).returning({ date: modelUse.date }).all().length,

  /** Adds tokens to a user's, and uses to the day's. An account that is gone counts nothing. */
  add(userId: number, date: string, tokens: ModelUsage, uses: DayOfUse): void {
    db.transaction((tx) => {
      const [known] = tx
        .update(users)
        .set({
          promptTokens: sql`${users.promptTokens} + ${tokens.promptTokens}`,
          completionTokens: sql`${users.completionTokens} + ${tokens.completionTokens}`,
        })
        .where(eq(users.id, userId))
        .returning({ id: users.id })
        .all();
      if (!known || uses.summaries + uses.questions === 0) return;
      tx.insert(modelUse)
        .values({ userId, date, ...uses })
        .onConflictDoUpdate({
          target: [modelUse.userId, modelUse.date],
          set: {
            summaries: sql`${modelUse.summaries} + ${uses.summaries}`,
            questions: sql`${modelUse.questions} + ${uses.questions}`,
          },
        })
        .run();
    });
  },
});

type ModelUseStore = ReturnType<typeof modelUseStore>;

/** Who asks; the plan decides how often. */
export type ModelUser = {
  id: number;
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
};

/** What people ask the model and what it costs: tokens a user for good, uses by Sydney day. */
const createModelUseService = ({ clock }: App, store: ModelUseStore) => ({
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

type ModelUse = ReturnType<typeof createModelUseService>;

/** Limits go by the running day; the others are there to be looked at. */
const KEPT_DAYS = 60;

/** How often people may ask the model, and what it cost. */
export function createModelUse(app: App) {
  const store = modelUseStore(app.db);
  return {
    name: 'modelUse',
    service: createModelUseService(app, store),
    prune: () => ({
      removed: store.dropBefore(addDays(sydneyDate(app.clock.now()), -KEPT_DAYS)),
      hasMore: false,
    }),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    modelUse: ModelUse;
  }
}
