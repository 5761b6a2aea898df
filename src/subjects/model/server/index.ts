import { and, eq, lt, sql } from 'drizzle-orm';
import { modelUse } from '#src/tables/userSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import { accessLevel, type SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { dailyLimit, type ModelUseKind, nextResetAt, usedUpMessage } from '../rules/dailyLimit.ts';
import { refusedFor } from '#platform/http/errors.ts';
import type { ModelUsage } from '#platform/model/model.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import type { App, Part } from '#platform/app.ts';

type DayOfUse = Pick<typeof modelUse.$inferSelect, 'summaries' | 'questions'>;

const modelUseStore = (db: Db) => ({
  day: (userId: number, date: string): DayOfUse =>
    db
      .select({ summaries: modelUse.summaries, questions: modelUse.questions })
      .from(modelUse)
      .where(and(eq(modelUse.userId, userId), eq(modelUse.date, date)))
      .get() ?? { summaries: 0, questions: 0 },

  /** Deletes use before a Sydney day, YYYY-MM-DD; tokens stay. @returns the number of rows */
  dropBefore: (date: string): number =>
    db.delete(modelUse).where(lt(modelUse.date, date)).returning({ date: modelUse.date }).all().length,

  /** Adds tokens and uses. Ignores a deleted account. */
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

/** A user of the model, whose plan decides the daily limit. */
export type ModelUser = {
  id: number;
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
};

/** Use of the model: tokens per user in total, and uses by Sydney day. */
const createModelUseService = ({ clock }: App, store: ModelUseStore) => ({
  /** Checks the daily limit; `pending` counts the user's running uses. @throws AppError 429 with the next day's time */
  admit(user: ModelUser, kind: ModelUseKind, pending = 0): void {
    const now = clock.now();
    const level = accessLevel(user);
    const { summaries, questions } = store.day(user.id, sydneyDate(now));
    const used = kind === 'summary' ? summaries : questions;
    if (used + pending < dailyLimit(kind, level)) return;
    const seconds = Math.ceil((nextResetAt(now) - now) / 1000);
    throw refusedFor(seconds, 429, usedUpMessage(kind, level, now));
  },

  /** Stores the cost of a use. @param outcome a failed use costs tokens but does not count against the day */
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

/** Days for which use is stored. Limits only need the current day; earlier ones are for reading. */
const KEPT_DAYS = 60;

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
