import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Times are epoch milliseconds; booleans 0 or 1; `*_key` columns hold the lower-case form that must be unique. */
export const users = sqliteTable('users', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  username: text('username').notNull(),
  usernameKey: text('username_key').notNull().unique(),
  email: text('email'),
  emailKey: text('email_key').unique(),
  passwordHash: text('password_hash').notNull(),
  subscriptionType: text('subscription_type', { enum: ['free', 'basic', 'premium'] })
    .notNull()
    .default('free'),
  requestedSubscriptionType: text('requested_subscription_type', { enum: ['basic', 'premium'] }),
  isAdmin: integer('is_admin', { mode: 'boolean' }).notNull().default(false),
  quoteSite: text('quote_site').notNull().default('none'),
  /** JSON: map from table key to list of column entries. */
  columnPreferences: text('column_preferences', { mode: 'json' })
    .$type<Record<string, unknown>>()
    .notNull()
    .default({}),
  promptTokens: integer('prompt_tokens').notNull().default(0),
  completionTokens: integer('completion_tokens').notNull().default(0),
  createdAt: integer('created_at').notNull(),
});

/** One row per login; a token is good while its session row stands unrevoked and unexpired. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/** Small facts of this installation: the set-up token's hash, the JWT secret's birth, the last seeded day. */
export const facts = sqliteTable('facts', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

/** What the Market must remember over a restart, per Sydney date. */
export const preOpenSnapshots = sqliteTable(
  'pre_open_snapshots',
  {
    date: text('date').notNull(),
    code: text('code').notNull(),
    /** JSON: PreOpenSnapshot. */
    snapshot: text('snapshot', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.date, table.code] })],
);
