import { and, asc, count, desc, eq, gte, lt } from 'drizzle-orm';
import { oddsDays, oddsSaved, oddsVariants } from '#src/tables/oddsSchema.ts';
import type { Db } from '#platform/db/open.ts';
import type { AskedOdds } from '../rules/asked.ts';
import type { CollectedDay } from './job.ts';

/** Variants of a user that are counted; further ones are not stored. */
const MAX_VARIANTS = 2000;

export type SavedRow = typeof oddsSaved.$inferSelect;
export type DayRow = typeof oddsDays.$inferSelect;

export class OddsStore {
  constructor(private readonly db: Db) {}

  /**
   * Counts the variants of a scan that a user tried, with this one.
   * @param since epoch ms; older ones do not count
   */
  countVariants(userId: number, subject: string, hash: string, now: number, since: number): number {
    const { db } = this;
    const ofUser = eq(oddsVariants.userId, userId);
    const all = db.select({ n: count() }).from(oddsVariants).where(ofUser).get()?.n ?? 0;
    if (all < MAX_VARIANTS) {
      db.insert(oddsVariants).values({ userId, subject, hash, firstSeen: now }).onConflictDoNothing().run();
    }
    const counted = and(ofUser, eq(oddsVariants.subject, subject), gte(oddsVariants.firstSeen, since));
    return Math.max(1, db.select({ n: count() }).from(oddsVariants).where(counted).get()?.n ?? 0);
  }

  dropVariants(before: number): number {
    return this.db
      .delete(oddsVariants)
      .where(lt(oddsVariants.firstSeen, before))
      .returning({ hash: oddsVariants.hash })
      .all().length;
  }

  save(row: Omit<SavedRow, 'id'>): SavedRow {
    return this.db.insert(oddsSaved).values(row).returning().get();
  }

  savedOf(userId: number): SavedRow[] {
    return this.db
      .select()
      .from(oddsSaved)
      .where(eq(oddsSaved.userId, userId))
      .orderBy(desc(oddsSaved.id))
      .all();
  }

  own(userId: number, id: number): SavedRow | undefined {
    return this.db
      .select()
      .from(oddsSaved)
      .where(and(eq(oddsSaved.id, id), eq(oddsSaved.userId, userId)))
      .get();
  }

  remove(userId: number, id: number): boolean {
    const own = and(eq(oddsSaved.id, id), eq(oddsSaved.userId, userId));
    return this.db.delete(oddsSaved).where(own).returning({ id: oddsSaved.id }).all().length > 0;
  }

  /** Saved odds after an id, oldest first. */
  nextSaved(id: number): SavedRow | undefined {
    return this.db
      .select()
      .from(oddsSaved)
      .where(gte(oddsSaved.id, id + 1))
      .orderBy(asc(oddsSaved.id))
      .limit(1)
      .get();
  }

  days(savedId: number): DayRow[] {
    return this.db
      .select()
      .from(oddsDays)
      .where(eq(oddsDays.savedId, savedId))
      .orderBy(asc(oddsDays.date))
      .all();
  }

  /** Dates of the stored sessions, oldest first, without their entries. */
  dates(savedId: number): Pick<DayRow, 'date' | 'isFinal' | 'entryCount'>[] {
    return this.db
      .select({
        date: oddsDays.date,
        isFinal: oddsDays.isFinal,
        entryCount: oddsDays.entryCount,
      })
      .from(oddsDays)
      .where(eq(oddsDays.savedId, savedId))
      .orderBy(asc(oddsDays.date))
      .all();
  }

  entriesOf(savedId: number, date: string): Uint8Array | undefined {
    return this.db
      .select({ entries: oddsDays.entries })
      .from(oddsDays)
      .where(and(eq(oddsDays.savedId, savedId), eq(oddsDays.date, date)))
      .get()?.entries;
  }

  /** Stores sessions of saved odds, all or none. Nothing is stored if these were deleted. */
  putDays(savedId: number, source: string, days: readonly CollectedDay[]): void {
    this.db.transaction(
      (tx) => {
        const known = tx.select({ id: oddsSaved.id }).from(oddsSaved).where(eq(oddsSaved.id, savedId)).get();
        if (!known) return;
        for (const { date, entries, ...day } of days) {
          const row = { ...day, source, entries: Buffer.from(entries) };
          tx.insert(oddsDays)
            .values({ savedId, date, ...row })
            .onConflictDoUpdate({ target: [oddsDays.savedId, oddsDays.date], set: row })
            .run();
        }
      },
      { behavior: 'immediate' },
    );
  }
}

/** Identifies conditions and settings. */
export const variantHash = ({ scan, settings }: AskedOdds): string =>
  Bun.hash(JSON.stringify([scan, settings])).toString(36);
