import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/* What keeps alerts few: those that need attention, and quiet hours. Times and booleans are as in `schema.ts`. */

const ownerId = () =>
  integer('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** Which users want the weekly message about alerts that need attention. */
export const reviewChoices = sqliteTable('review_choices', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  weekly: integer('weekly', { mode: 'boolean' }).notNull(),
  /** The Sydney date of the last Saturday whose message was sent, or had nothing to list, YYYY-MM-DD. */
  toldWeek: text('told_week'),
});

/** Reasons for attention that the owner dismissed until then. */
export const keptFindings = sqliteTable(
  'kept_findings',
  {
    userId: ownerId(),
    /** As `Attention`. */
    key: text('key').notNull(),
    until: integer('until').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('kept_findings_until').on(table.until),
  ],
);

/** What was seen of the stocks that alerts are on, once a session. Of the market, so it names its source. */
export const stockPresence = sqliteTable(
  'stock_presence',
  {
    source: text('source').notNull(),
    symbol: text('symbol').notNull(),
    /** What the company was called when the stock was listed last; '' where it never was. */
    company: text('company').notNull(),
    /** Sydney dates of sessions, YYYY-MM-DD: the last that was looked at, and the first of those that it was missing in. */
    lookedOn: text('looked_on').notNull(),
    missingSince: text('missing_since'),
    /** In how many sessions in a row it was missing. */
    missingDays: integer('missing_days').notNull().default(0),
    /** The first of the sessions in a row in which it was halted. */
    haltedSince: text('halted_since'),
  },
  (table) => [primaryKey({ columns: [table.source, table.symbol] })],
);

/** When a person wants no messages, and how those are told that came meanwhile. */
export const quietHours = sqliteTable('quiet_hours', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  active: integer('active', { mode: 'boolean' }).notNull(),
  /** Minutes since midnight by the clocks of the zone; over midnight where the end is less. */
  from: integer('from_minute').notNull(),
  until: integer('until_minute').notNull(),
  /** A name of the time zone database. */
  zone: text('zone').notNull(),
  /** `end`: one digest as they end. `hourly`: one each hour of them. `always`: as `end`, and one each hour of the day. */
  digest: text('digest', { enum: ['end', 'hourly', 'always'] }).notNull(),
});
