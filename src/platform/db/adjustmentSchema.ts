import { blob, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/*
 * Splits and consolidations of one source. Bars are stored in the prices of their day and multiplied when they are
 * read. Dates are those of Sydney, YYYY-MM-DD.
 */

export const priceAdjustments = sqliteTable(
  'price_adjustments',
  {
    source: text('source').notNull(),
    code: text('code').notNull(),
    date: text('date').notNull(),
    /** Earlier prices are multiplied by this factor, earlier volumes divided. */
    factor: real('factor').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.code, table.date] })],
);

/** The last trade of each stock, one row per source. The next previous close is compared with it. */
export const lastTrades = sqliteTable('last_trades', {
  source: text('source').primaryKey(),
  /** When the market was last seen, epoch ms by the market's clock. */
  seenUntil: integer('seen_until').notNull(),
  /** Packed by `packJson`; see market/splits. */
  trades: blob('trades', { mode: 'buffer' }).notNull(),
});
