import { blob, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
