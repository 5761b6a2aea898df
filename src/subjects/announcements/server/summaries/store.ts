import { and, eq } from 'drizzle-orm';
import { announcementSummaries } from '#src/tables/marketSchema.ts';
import type { Db } from '#platform/db/open.ts';

type SummaryRow = typeof announcementSummaries.$inferSelect;

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
