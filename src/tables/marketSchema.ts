import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Times and booleans are as in `schema.ts`. */

/**
 * Announcements of 400 days. Only those of the running source are read. The words of the headlines are in
 * `announcement_words`, a contentless full-text table with the same `number`, written and removed together.
 */
export const announcements = sqliteTable(
  'announcements',
  {
    /** A thousand times `time`, plus the first free offset, so that searches find the newest first. */
    number: integer('number').primaryKey(),
    source: text('source').notNull(),
    id: text('id').notNull(),
    code: text('code').notNull(),
    date: text('date').notNull(),
    time: integer('time').notNull(),
    headline: text('headline').notNull(),
    url: text('url'),
    /** Where the server downloads the document; '' if that is `url`. */
    document: text('document'),
    types: text('types', { mode: 'json' }).$type<string[]>().notNull(),
    isPriceSensitive: integer('is_price_sensitive', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    uniqueIndex('announcements_id').on(table.source, table.id),
    index('announcements_code').on(table.source, table.code, table.time),
    index('announcements_time').on(table.source, table.time),
  ],
);

/** A model's summary of an announcement's document, one per document. */
export const announcementSummaries = sqliteTable(
  'announcement_summaries',
  {
    source: text('source').notNull(),
    announcementId: text('announcement_id').notNull(),
    code: text('code').notNull(),
    date: text('date').notNull(),
    text: text('text').notNull(),
    note: text('note'),
    model: text('model').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.announcementId] }),
    index('announcement_summaries_day').on(table.source, table.date),
  ],
);

/** Traded value of the market by five-minute slots, one row per session and source. */
export const valueCurves = sqliteTable(
  'value_curves',
  {
    source: text('source').notNull(),
    date: text('date').notNull(),
    curves: blob('curves', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.date] })],
);
