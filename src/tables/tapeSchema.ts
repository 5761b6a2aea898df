import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
