import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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

/**
 * Where earlier versions kept who stood in which scanner, minute by minute: some minutes a row. It is in files now, and this
 * is emptied into them at the start. A row is read with those before it that it goes on
 * with. Of the market, so it names its source.
 */
export const tapeSegments = sqliteTable(
  'tape_segments',
  {
    source: text('source').notNull(),
    /** The session's Sydney date, YYYY-MM-DD. */
    date: text('date').notNull(),
    /** The first minute in it, in minutes since the epoch on the market's clock. */
    first: integer('first').notNull(),
    /** The first minute of the piece that this one goes on with; null where it begins with whole tables. */
    goesOnFrom: integer('goes_on_from'),
    /** The minute after the last that counts: a market that jumped back has told later ones again. */
    until: integer('until').notNull(),
    /** Zstandard; see market/tape/codec. */
    minutes: blob('minutes', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.date, table.first] })],
);

/** What the market had traded by each five minutes of a session, a row a session. Of the market, so it names its source. */
export const valueCurves = sqliteTable(
  'value_curves',
  {
    source: text('source').notNull(),
    /** The session's Sydney date, YYYY-MM-DD. */
    date: text('date').notNull(),
    /** By `packJson`; see subjects/glance/server/curveStore. */
    curves: blob('curves', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.date] })],
);
