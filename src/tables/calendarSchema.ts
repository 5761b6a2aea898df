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

/* The economic calendar. Times and booleans are as in `schema.ts`. */

/** Economic events around today, kept over a restart. Only those of the running source are read. */
export const calendarEvents = sqliteTable(
  'calendar_events',
  {
    source: text('source').notNull(),
    id: text('id').notNull(),
    time: integer('time').notNull(),
    /** JSON: CalendarEvent. */
    event: text('event', { mode: 'json' }).$type<CalendarEvent>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.source, table.id] }),
    index('calendar_events_time').on(table.source, table.time),
  ],
);

/** Whom to tell of an event, before it happens and when its figure is out. */
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
    /** When it was told; null while it is not. */
    beforeToldAt: integer('before_told_at'),
    figureToldAt: integer('figure_told_at'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.source, table.eventId] }),
    index('calendar_reminders_event').on(table.source, table.eventId),
  ],
);

/** Events that recur: their figures are compared with those that they had before. */
export const calendarSeries = sqliteTable(
  'calendar_series',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Of the calendar. */
    source: text('source').notNull(),
    /** The source's own, else made of country, name and period. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    countryCode: text('country_code').notNull(),
    /** What the newest figure is in. */
    unit: text('unit'),
  },
  (table) => [uniqueIndex('calendar_series_key').on(table.source, table.key)],
);

/** The figures that were published, for years; each as it was first published. */
export const calendarOutcomes = sqliteTable(
  'calendar_outcomes',
  {
    seriesId: integer('series_id')
      .notNull()
      .references(() => calendarSeries.id, { onDelete: 'cascade' }),
    /** When the event happened. */
    time: integer('time').notNull(),
    actual: real('actual').notNull(),
    consensus: real('consensus'),
    previous: real('previous'),
    /** What the previous figure was corrected to. */
    revised: real('revised'),
    /** What the source said later of the actual figure itself. */
    corrected: real('corrected'),
    /** Index in POTENCIES. */
    potency: integer('potency').notNull(),
    isBetter: integer('is_better', { mode: 'boolean' }),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.time] })],
);

/** The codes of the largest stocks as they were, shared by all moves that were measured of them. */
export const calendarBaskets = sqliteTable('calendar_baskets', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  /** In the order of the alphabet, with commas. */
  codes: text('codes').notNull().unique(),
});

/** What the market did after a moment at which figures were published; only of moments at which it was open. */
export const calendarMoves = sqliteTable(
  'calendar_moves',
  {
    /** Of the prices. */
    source: text('source').notNull(),
    time: integer('time').notNull(),
    basketId: integer('basket_id').references(() => calendarBaskets.id),
    /** The cap-weighted changes 5 and 30 minutes after it, percent; null where they were not measured. */
    after5: real('after5'),
    after30: real('after30'),
    /** Packed: the counts, and the change of each stock of the basket; see subjects/calendar/server/memory/packedMoves. */
    changes: blob('changes', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.source, table.time] })],
);
