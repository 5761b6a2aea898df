import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/** How often a user asked the model on a day, for the limits; the tokens stand in `users`. */
export const modelUse = sqliteTable(
  'model_use',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In Sydney, YYYY-MM-DD. */
    date: text('date').notNull(),
    summaries: integer('summaries').notNull().default(0),
    questions: integer('questions').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.date] })],
);
