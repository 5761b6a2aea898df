import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CalendarEvent } from '../../subjects/calendar/rules/calendarEvent.ts';
import { users } from './schema.ts';

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
