import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** How the auctions and the statuses of a session went, one row for all that was new at a write. */
export const auctionSegments = sqliteTable(
  'auction_segments',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    source: text('source').notNull(),
    /** Of the session in Sydney, YYYY-MM-DD. */
    date: text('date').notNull(),
    /** Deflated; see market/auctions/segments. */
    changes: blob('changes', { mode: 'buffer' }).notNull(),
  },
  (table) => [index('auction_segments_source').on(table.source, table.date)],
);
