import { and, eq, gte } from 'drizzle-orm';
import { announcementSummaries } from '../../db/announcementSchema.ts';
import type { Db } from '../../db/open.ts';

export type SummaryRow = typeof announcementSummaries.$inferSelect;

/** SQL of summaries, those of the running source. */
export const summaryStore = (db: Db, source: string) => ({
  find: (announcementId: string): SummaryRow | undefined =>
    db
      .select()
      .from(announcementSummaries)
      .where(
        and(
          eq(announcementSummaries.source, source),
          eq(announcementSummaries.announcementId, announcementId),
        ),
      )
      .get(),

  /** @param date Sydney date, YYYY-MM-DD, of the oldest announcements */
  since: (date: string): SummaryRow[] =>
    db
      .select()
      .from(announcementSummaries)
      .where(and(eq(announcementSummaries.source, source), gte(announcementSummaries.date, date)))
      .all(),

  keep(row: Omit<SummaryRow, 'source'>): void {
    db.insert(announcementSummaries)
      .values({ ...row, source })
      .onConflictDoUpdate({
        target: [announcementSummaries.source, announcementSummaries.announcementId],
        set: row,
      })
      .run();
  },
});

export type SummaryStore = ReturnType<typeof summaryStore>;
