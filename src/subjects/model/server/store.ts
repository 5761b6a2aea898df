import { and, eq, lt, sql } from 'drizzle-orm';
import { modelUse } from '#src/tables/userSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { users } from '#platform/db/schema.ts';
import type { ModelUsage } from '#platform/model/model.ts';

/** What a user asked on a Sydney day. */
export type DayOfUse = Pick<typeof modelUse.$inferSelect, 'summaries' | 'questions'>;

/** SQL of what users asked the model and what it cost. */
export const modelUseStore = (db: Db) => ({
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

export type ModelUseStore = ReturnType<typeof modelUseStore>;
