import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/** Browsers that show a user's messages as notifications, by the push subscription of each. Times are as in `schema.ts`. */
export const devices = sqliteTable(
  'devices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address at its push service. Who knows it may send to it: it is told to nobody. */
    endpoint: text('endpoint').notNull().unique(),
    /** The browser's public key and its secret, base64url: what messages are encrypted with. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Of the page that registered it; a push service is told it where the server has no public address. */
    origin: text('origin').notNull(),
    name: text('name').notNull(),
    /** The login session that registered it last: it is removed with a logout. */
    sessionId: text('session_id').notNull(),
    createdAt: integer('created_at').notNull(),
    /** When a push service last took a message for it. */
    deliveredAt: integer('delivered_at'),
    /** The last message that was not taken, and a sentence saying why. */
    failedAt: integer('failed_at'),
    failedReason: text('failed_reason'),
    /** `refused`: nothing is sent until it registers again. `gone`: its push service ended it. */
    status: text('status', { enum: ['registered', 'refused', 'gone'] })
      .notNull()
      .default('registered'),
  },
  (table) => [index('devices_user').on(table.userId), index('devices_session').on(table.sessionId)],
);

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
