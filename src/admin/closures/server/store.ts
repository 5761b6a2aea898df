import { asc, eq } from 'drizzle-orm';
import type { SpecialDay } from '#market/rules/tradingDay.ts';
import { specialDays } from '#src/tables/administrationSchema.ts';
import type { Db } from '#platform/db/open.ts';

export type SpecialDayRow = typeof specialDays.$inferSelect;

export const closureStore = (db: Db) => ({
  /** By date. */
  all: (): SpecialDayRow[] => db.select().from(specialDays).orderBy(asc(specialDays.date)).all(),
  /** Adds a day, in the place of one of the same date. */
  put(day: SpecialDay, bySetting: boolean, addedAt: number): void {
    const row = { ...day, bySetting, addedAt };
    db.insert(specialDays).values(row).onConflictDoUpdate({ target: specialDays.date, set: row }).run();
  },
  remove: (date: string): void => void db.delete(specialDays).where(eq(specialDays.date, date)).run(),
  inTransaction: <T>(work: () => T): T => db.transaction(() => work()),
});

export type ClosureStore = ReturnType<typeof closureStore>;
