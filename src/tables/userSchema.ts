import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../platform/db/schema.ts';

/**
 * Browsers that show a user's messages as notifications, by push subscription. Times are as in `schema.ts`.
 */
export const devices = sqliteTable(
  'devices',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address at its push service. Keep it secret, because anyone with it can send. */
    endpoint: text('endpoint').notNull().unique(),
    /** The browser's public key and its secret, base64url: messages are encrypted with them. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Origin of the page that registered the device, for the push service if there is no public address. */
    origin: text('origin').notNull(),
    name: text('name').notNull(),
    /** The login session that registered it last. A logout removes the device. */
    sessionId: text('session_id').notNull(),
    createdAt: integer('created_at').notNull(),
    deliveredAt: integer('delivered_at'),
    /** The last rejected message, and a sentence with the reason. */
    failedAt: integer('failed_at'),
    failedReason: text('failed_reason'),
    /** `refused`: nothing is sent until it registers again. `gone`: its push service ended it. */
    status: text('status', { enum: ['registered', 'refused', 'gone'] })
      .notNull()
      .default('registered'),
  },
  (table) => [index('devices_user').on(table.userId), index('devices_session').on(table.sessionId)],
);

/** Horizontal levels in a user's charts, by stock. */
export const chartLevels = sqliteTable(
  'chart_levels',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    symbol: text('symbol').notNull(),
    /** JSON: prices in AUD. Reading multiplies them by the splits since `savedAt`, epoch ms. */
    prices: text('prices', { mode: 'json' }).$type<number[]>().notNull(),
    savedAt: integer('saved_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.symbol] })],
);

/** Whether and when a user gets the morning brief as a message. */
export const morningBriefs = sqliteTable('morning_briefs', {
  userId: integer('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  active: integer('active', { mode: 'boolean' }).notNull(),
  /** Minutes since midnight in Sydney. */
  minute: integer('minute').notNull(),
  /** Sydney date of the last message, YYYY-MM-DD. */
  sentOn: text('sent_on'),
});

/** Model requests of a user per day, for the limits; the tokens are in `users`. */
export const modelUse = sqliteTable(
  'model_use',
  {
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    date: text('date').notNull(),
    summaries: integer('summaries').notNull().default(0),
    questions: integer('questions').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.date] })],
);
