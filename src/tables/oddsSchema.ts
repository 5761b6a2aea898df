import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AskedOdds } from '#subjects/odds/rules/asked.ts';
import type { LeftOut } from '#subjects/odds/rules/result.ts';
import { users } from '../platform/db/schema.ts';

/** Odds of scans. Times are as in `schema.ts`. */

/** The variants of a scan that a user tried, in the last 90 days. */
export const oddsVariants = sqliteTable(
  'odds_variants',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The scan: `scanner:preMarket`, `scan:1`, `alert:1` or `draft`. */
    subject: text('subject').notNull(),
    /** Hash of the conditions and settings. */
    hash: text('hash').notNull(),
    firstSeen: integer('first_seen').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.subject, table.hash] }),
    index('odds_variants_seen').on(table.firstSeen),
  ],
);

/** Scans whose entries are collected from the moment they were saved. */
export const oddsSaved = sqliteTable(
  'odds_saved',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    subject: text('subject').notNull(),
    /** JSON: the scan and settings at that moment. Later changes of the scan do not affect them. */
    asked: text('asked', { mode: 'json' }).$type<AskedOdds>().notNull(),
    /** Epoch ms of the market's clock. */
    savedAt: integer('saved_at').notNull(),
  },
  (table) => [index('odds_saved_user').on(table.userId)],
);

/** The entries of saved odds by session. They outlive the session history. */
export const oddsDays = sqliteTable(
  'odds_days',
  {
    savedId: integer('saved_id')
      .notNull()
      .references(() => oddsSaved.id, { onDelete: 'cascade' }),
    /** The Sydney session, YYYY-MM-DD. */
    date: text('date').notNull(),
    /** Name of the market source. */
    source: text('source').notNull(),
    /** False until the next session is read, because an exit may be in it. */
    isFinal: integer('is_final', { mode: 'boolean' }).notNull(),
    entryCount: integer('entry_count').notNull(),
    /** JSON of `OddsEntries`, compressed. */
    entries: blob('entries', { mode: 'buffer' }).notNull(),
    /** JSON: numbers of entries without a result. */
    leftOut: text('left_out', { mode: 'json' }).$type<Record<LeftOut, number>>().notNull(),
    gapMinutes: integer('gap_minutes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.savedId, table.date] })],
);
