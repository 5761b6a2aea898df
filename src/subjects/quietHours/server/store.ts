import { and, count, eq, isNotNull } from 'drizzle-orm';
import { outbox, quietHours } from '#src/tables/alertSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { QuietHours } from '../rules/quietHours.ts';

/** SQL of quiet hours. */
export const quietHoursStore = (db: Db) => ({
  /** Of all who have some. */
  all: () => db.select().from(quietHours).all(),
  save(userId: number, hours: QuietHours): void {
    db.insert(quietHours)
      .values({ userId, ...hours })
      .onConflictDoUpdate({ target: quietHours.userId, set: hours })
      .run();
  },
  /** Those for whom messages wait. */
  heldUsers: (): number[] =>
    db
      .selectDistinct({ userId: outbox.userId })
      .from(outbox)
      .where(and(eq(outbox.status, 'held'), isNotNull(outbox.userId)))
      .all()
      .flatMap(({ userId }) => userId ?? []),
  /** How many messages wait for a user. */
  waiting: (userId: number): number =>
    db
      .select({ n: count() })
      .from(outbox)
      .where(and(eq(outbox.userId, userId), eq(outbox.status, 'held')))
      .get()?.n ?? 0,
});

export type QuietHoursStore = ReturnType<typeof quietHoursStore>;
