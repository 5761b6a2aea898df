import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { CalendarEvent } from '../market/calendar/rules/calendarEvent.ts';
import { users } from '../platform/db/schema.ts';

/** Times and booleans are as in `schema.ts`. */

/** Economic events around today, kept over a restart. Only those of the running source are read. */
export const calendarEvents = sqliteTable(
  'calendar_events',
  {
    source: text('source').notNull(),
    id: text('id').notNull(),
    time: integer('time').notNull(),
    event: text('event', { mode: 'json' }).$type<CalendarEvent>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index('calendar_events_time').on(table.source, table.time),
  ],
);

/** Users who get a reminder of an event, before it and when its figure is out. */
export const calendarReminders = sqliteTable(
  'calendar_reminders',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    source: text('source').notNull(),
    eventId: text('event_id').notNull(),
    before: integer('before', { mode: 'boolean' }).notNull(),
    figure: integer('figure', { mode: 'boolean' }).notNull(),
    beforeToldAt: integer('before_told_at'),
    figureToldAt: integer('figure_told_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.source, table.eventId] }),
    index('calendar_reminders_event').on(table.source, table.eventId),
  ],
);

export const calendarSeries = sqliteTable(
  'calendar_series',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    source: text('source').notNull(),
    /** The source's own key, or one made of country, name and period. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    countryCode: text('country_code').notNull(),
    unit: text('unit'),
  },
  (table) => [uniqueIndex('calendar_series_key').on(table.source, table.key)],
);

/** Published figures of several years, each as first published. */
export const calendarOutcomes = sqliteTable(
  'calendar_outcomes',
  {
    seriesId: integer('series_id')
      .notNull()
      .references(() => calendarSeries.id, { onDelete: 'cascade' }),
    time: integer('time').notNull(),
    actual: real('actual').notNull(),
    consensus: real('consensus'),
    previous: real('previous'),
    revised: real('revised'),
    corrected: real('corrected'),
    potency: integer('potency').notNull(),
    isBetter: integer('is_better', { mode: 'boolean' }),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.time] })],
);

/** Codes of the top 50 stocks at a time, shared by price moves. */
export const calendarTop50 = sqliteTable('calendar_baskets', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  codes: text('codes').notNull().unique(),
});

/** Price moves after published figures, for moments in market hours. */
export const calendarMoves = sqliteTable(
  'calendar_moves',
  {
    source: text('source').notNull(),
    time: integer('time').notNull(),
    basketId: integer('basket_id').references(() => calendarTop50.id),
    /** Cap-weighted changes after 5 and 30 minutes, percent; null if not measured. */
    after5: real('after5'),
    after30: real('after30'),
    /** Packed: the counts, and the change of each of the stocks. */
    changes: blob('changes', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.time] })],
);
