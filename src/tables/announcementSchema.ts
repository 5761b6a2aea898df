import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/* Company announcements and what a model wrote of them. Times and booleans are as in `schema.ts`. */

/**
 * Announcements of 400 days. Only those of the running source are read. The words of their headlines stand in
 * `announcement_words`, a full-text table without content, under the same `number`: written and removed with them.
 */
export const announcements = sqliteTable(
  'announcements',
  {
    /** Grows with `time`, so that the words are found newest first: a thousand times it, and the first that is free. */
    number: integer('number').primaryKey(),
    source: text('source').notNull(),
    /** The provider's key of the document. */
    id: text('id').notNull(),
    code: text('code').notNull(),
    /** Of its release in Sydney, YYYY-MM-DD. */
    date: text('date').notNull(),
    time: integer('time').notNull(),
    headline: text('headline').notNull(),
    url: text('url'),
    /** Where the server fetches the document; '' where that is `url`. */
    document: text('document'),
    /** JSON: list of texts. */
    types: text('types', { mode: 'json' }).$type<string[]>().notNull(),
    isPriceSensitive: integer('is_price_sensitive', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    uniqueIndex('announcements_id').on(table.source, table.id),
    index('announcements_code').on(table.source, table.code, table.time),
    index('announcements_time').on(table.source, table.time),
  ],
);

/** What a model wrote of an announcement's document: one a document. */
export const announcementSummaries = sqliteTable(
  'announcement_summaries',
  {
    source: text('source').notNull(),
    announcementId: text('announcement_id').notNull(),
    code: text('code').notNull(),
    /** Sydney date of the announcement, YYYY-MM-DD. */
    date: text('date').notNull(),
    text: text('text').notNull(),
    /** A sentence on what it was made of, when that was not the document; null otherwise. */
    note: text('note'),
    model: text('model').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.announcementId] }),
    index('announcement_summaries_day').on(table.source, table.date),
  ],
);
